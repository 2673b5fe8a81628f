"""Questions about a product: who may ask how often, who sees what, and what staff decide."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from apps.catalog.models import Product
from apps.catalog.tests.factories import ProductFactory
from apps.common.background.delivery import outbox_deliver
from apps.common.books import list_differences
from apps.common.events import list_events
from apps.common.tenancy import no_scope, platform_scope
from apps.common.testing import ApiClient, assert_queries
from apps.notices.models import Notice
from apps.org.models import Account
from apps.org.tests.factories import AccountFactory, DepartmentFactory, EnterpriseFactory
from apps.org.tests.office import create_staff, open_office
from apps.questions.errors import (
    QuestionAlreadyHidden,
    QuestionAlreadyRetracted,
    QuestionAlreadyShown,
    QuestionAnswerStale,
    QuestionAskedAgain,
    QuestionLimitReached,
    QuestionNotFound,
    QuestionRepeated,
)
from apps.questions.models import ProductQuestion, PublishedQuestion
from apps.questions.services import (
    question_answer,
    question_ask,
    question_hide,
    question_retract,
    question_show,
)

LIST = "/admin/questions/productquestion/"
TEXT = "笔芯可以换通用的吗？"


@pytest.fixture
def pens(group: object) -> Product:
    product: Product = ProductFactory(name="中性笔")
    return product


@pytest.fixture
def question(buyer: Account, pens: Product) -> ProductQuestion:
    return question_ask(actor=buyer, code=pens.code, text=TEXT)


def answer(question: ProductQuestion, staff: Account, text: str = "可以", **more: object) -> None:
    seen = ProductQuestion.objects.values_list("answered_at", flat=True).get(pk=question.pk)
    values = {"answer": text, "is_for_everybody": True, "seen_answered_at": seen, **more}
    question_answer(actor=staff, question_id=question.pk, **values)


def shown_to(reader: Account | None, product: Product, **query: str) -> list[tuple[str, str]]:
    """Return (question, asker) of the list that the reader sees."""
    items = ApiClient(reader).get(f"/api/Product/{product.code}/Questions", query).body["Items"]
    return [(row["Question"], row["Asker"]) for row in items]


def test_an_answered_question_is_public_without_its_asker(
    question: ProductQuestion, buyer: Account, pens: Product, staff: Account, other_ga: Account
) -> None:
    assert shown_to(buyer, pens) == []
    assert shown_to(buyer, pens, Scope="ours") == [(TEXT, buyer.nickname)]
    answer(question, staff)

    assert buyer.enterprise
    elsewhere = AccountFactory(
        department=DepartmentFactory(enterprise=EnterpriseFactory(group=buyer.group))
    )
    colleague = AccountFactory(department=buyer.department)
    askers = [shown_to(reader, pens) for reader in (buyer, colleague, elsewhere, other_ga, None)]
    assert askers == [
        [(TEXT, buyer.nickname)],
        [(TEXT, buyer.nickname)],
        [(TEXT, "集团同事")],
        [(TEXT, "其他客户")],
        [(TEXT, "其他客户")],
    ]
    assert shown_to(other_ga, pens, Scope="ours") == []
    with no_scope():
        assert shown_to(None, pens, Scope="ours") == []


@pytest.mark.parametrize("is_private", [True, False])
def test_a_question_stays_in_its_group_if_asker_or_staff_want_so(
    buyer: Account, pens: Product, staff: Account, is_private: bool
) -> None:
    question = question_ask(actor=buyer, code=pens.code, text=TEXT, is_private=is_private)
    answer(question, staff, is_for_everybody=is_private)

    assert shown_to(None, pens) == []
    assert shown_to(AccountFactory(department=buyer.department), pens, Scope="ours") == [
        (TEXT, buyer.nickname)
    ]


def test_words_are_found_in_question_and_answer(
    question: ProductQuestion, buyer: Account, pens: Product, staff: Account
) -> None:
    answer(question, staff, "适配 0.5mm 子弹头 ABC 笔芯")
    answer(question_ask(actor=buyer, code=pens.code, text="一盒有几支？"), staff, "12 支")

    assert shown_to(None, pens, Keyword="abc 通用") == [(TEXT, "其他客户")]
    assert shown_to(None, pens, Keyword="通用 12") == []
    assert len(shown_to(None, pens)) == 2


@pytest.mark.parametrize("number", [1, 5])
def test_a_page_costs_the_same_queries_for_any_number(
    buyer: Account, pens: Product, staff: Account, number: int
) -> None:
    for index in range(number):
        answer(question_ask(actor=buyer, code=pens.code, text=f"{TEXT}{index}"), staff)
    api = ApiClient(buyer)
    api.get(f"/api/Product/{pens.code}/Questions")
    with assert_queries(6):
        assert api.get(f"/api/Product/{pens.code}/Questions").body["Total"] == number


def test_invisible_product_accepts_and_lists_no_questions(buyer: Account, pens: Product) -> None:
    Product.objects.filter(pk=pens.pk).update(is_public=False)
    api = ApiClient(buyer)
    body = {"ProductCode": pens.code, "Text": TEXT}
    assert api.post("/api/ProductQuestion", body).status == 404
    assert api.get(f"/api/Product/{pens.code}/Questions").status == 404


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("好用吗", "请至少用 5 个字"),
        ("问" * 201, "最多 200 个字"),
        ("有货请打 138 0000 0000 联系我", "请勿填写手机号"),
        ("有货请发 li@example.com 谢谢", "请勿填写手机号"),
        ("有货请打 021-12345678 谢谢", "请勿填写手机号"),
        ("有货请打 138.0000.0000 谢谢", "请勿填写手机号"),
        ("有货请打 138  0000  0000 谢谢", "请勿填写手机号"),
        ("有货请打 +8613800000000 谢谢", "请勿填写手机号"),
        ("有货请打 １３８００００００００ 谢谢", "请勿填写手机号"),
        ("有货请打 02112345678 谢谢", "请勿填写手机号"),
        ("有货请打 (0512) 6123 4567 谢谢", "请勿填写手机号"),
        ("有货请打 400-820-8820 谢谢", "请勿填写手机号"),
        ("有货请加 wxid_k3m9x2 谢谢", "请勿填写手机号"),
        ("有货请加微信：office_li 谢谢", "请勿填写手机号"),
        ("有货请加 QQ 12345678 谢谢", "请勿填写手机号"),
        ("有货请打 138\u200b00000000 谢谢", "不可见字符"),
        ("\u200b" * 5, "不可见字符"),
    ],
)
def test_a_text_out_of_bounds_is_refused(
    buyer: Account, pens: Product, text: str, message: str
) -> None:
    reply = ApiClient(buyer).post("/api/ProductQuestion", {"ProductCode": pens.code, "Text": text})
    assert message in str(reply.errors)
    assert ProductQuestion.objects.count() == 0


def test_a_product_code_is_no_phone_number(buyer: Account, pens: Product) -> None:
    question_ask(
        actor=buyer, code=pens.code, text="和 110001、400g 或条码 6915123456789 是\n同一款吗？"
    )


def test_the_same_question_waits_once(question: ProductQuestion, buyer: Account) -> None:
    with pytest.raises(QuestionRepeated):
        question_ask(actor=buyer, code=question.product.code, text=TEXT)


def test_a_person_asks_a_limited_number_of_times_a_day(
    buyer: Account, pens: Product, settings: Any
) -> None:
    settings.QUESTIONS_PER_DAY = 2
    first = question_ask(actor=buyer, code=pens.code, text="第一个问题？")
    question_ask(actor=buyer, code=pens.code, text="第二个问题？")
    question_retract(actor=buyer, question_id=first.pk)
    with pytest.raises(QuestionLimitReached, match="每人每天最多提问 2 次"):
        question_ask(actor=buyer, code=pens.code, text="第三个问题？")
    question_ask(
        actor=AccountFactory(department=buyer.department), code=pens.code, text="第三个问题？"
    )
    yesterday = timezone.now() - timedelta(days=1)
    ProductQuestion.objects.filter(pk=first.pk).update(asked_at=yesterday)
    question_ask(actor=buyer, code=pens.code, text="第三个问题？")


def test_answer_and_its_change_notify_the_questioner(
    question: ProductQuestion, buyer: Account, staff: Account
) -> None:
    answer(question, staff)
    answer(question, staff, "可以，也可以换彩色笔芯")
    outbox_deliver()

    notices = Notice.objects.filter(recipient=buyer, kind="question_moved").order_by("pk")
    assert [(notice.title, notice.text) for notice in notices] == [
        ("您对“中性笔”的提问已有回答", "可以"),
        ("您对“中性笔”的提问的回答有更新", "可以，也可以换彩色笔芯"),
    ]
    assert {notice.link for notice in notices} == {"/userCenter/user/question"}
    kinds = [event.kind for event in list_events(question)]
    assert kinds == ["asked", "answered", "answer_changed"]


def test_a_second_answer_from_an_old_page_is_refused(
    question: ProductQuestion, staff: Account
) -> None:
    answer(question, staff)
    with pytest.raises(QuestionAnswerStale):
        answer(question, staff, "不可以", seen_answered_at=None)
    assert PublishedQuestion.objects.get().answer == "可以"


def test_a_hidden_question_is_seen_by_its_asker_with_the_reason(
    question: ProductQuestion, buyer: Account, pens: Product, staff: Account
) -> None:
    answer(question, staff)
    question_hide(actor=staff, question_id=question.pk, reason="与商品无关")

    assert shown_to(None, pens) == shown_to(buyer, pens, Scope="ours") == []
    [own] = ApiClient(buyer).get("/api/ProductQuestion").body["Items"]
    assert (own["State"], own["HiddenReason"]) == ("hidden", "与商品无关")
    with pytest.raises(QuestionAlreadyHidden):
        question_hide(actor=staff, question_id=question.pk, reason="再次")
    with pytest.raises(QuestionAlreadyHidden):
        answer(question, staff)
    question_show(actor=staff, question_id=question.pk)
    assert shown_to(None, pens) == [(TEXT, "其他客户")]
    with pytest.raises(QuestionAlreadyShown):
        question_show(actor=staff, question_id=question.pk)


def test_a_hidden_question_without_an_answer_waits_again(
    question: ProductQuestion, staff: Account
) -> None:
    question_hide(actor=staff, question_id=question.pk, reason="先核实")
    question_show(actor=staff, question_id=question.pk)
    assert ProductQuestion.objects.get().state == "waiting"


def test_hidden_question_with_a_repeat_cannot_be_shown_while_both_wait(
    question: ProductQuestion, buyer: Account, staff: Account
) -> None:
    question_hide(actor=staff, question_id=question.pk, reason="先核实")
    again = question_ask(actor=buyer, code=question.product.code, text=TEXT)
    with pytest.raises(QuestionAskedAgain):
        question_show(actor=staff, question_id=question.pk)
    answer(again, staff)
    question_show(actor=staff, question_id=question.pk)
    states = ProductQuestion.objects.order_by("pk").values_list("state", flat=True)
    assert list(states) == ["waiting", "answered"]


def test_the_asker_retracts_once_and_only_the_own_question(
    question: ProductQuestion, buyer: Account, ga: Account, pens: Product, staff: Account
) -> None:
    answer(question, staff)
    with pytest.raises(QuestionNotFound):
        question_retract(actor=ga, question_id=question.pk)
    reply = ApiClient(buyer).post(f"/api/ProductQuestion/{question.pk}/Retract")
    assert (reply.message, reply.body["State"], reply.body["AllowedActions"]) == (
        "提问已撤回",
        "retracted",
        [],
    )
    assert (shown_to(None, pens), shown_to(buyer, pens, Scope="ours")) == ([], [])
    with pytest.raises(QuestionAlreadyRetracted):
        question_retract(actor=buyer, question_id=question.pk)
    with pytest.raises(QuestionAlreadyRetracted):
        answer(question, staff)


def test_own_questions_are_filtered_by_state_and_words(
    question: ProductQuestion, buyer: Account, pens: Product, staff: Account
) -> None:
    answer(question_ask(actor=buyer, code=pens.code, text="一盒有几支？"), staff, "12 支")
    api = ApiClient(buyer)

    def texts(**query: str) -> list[str]:
        rows = api.get("/api/ProductQuestion", query).body["Items"]
        return [row["Question"] for row in rows]

    assert texts() == ["一盒有几支？", TEXT]
    assert (texts(State="waiting"), texts(Keyword="中性笔 支"), texts(Keyword=pens.code)) == (
        [TEXT],
        ["一盒有几支？"],
        ["一盒有几支？", TEXT],
    )


def test_the_books_name_a_wrong_public_copy(question: ProductQuestion, staff: Account) -> None:
    answer(question, staff)
    with platform_scope(reason="test"):
        assert list(list_differences()) == []
        PublishedQuestion.objects.update(answer="不可以")
        [wrong] = list_differences()
    assert "公开内容 answer" in str(wrong)


@pytest.fixture
def office(staff: Account) -> Client:
    return open_office(staff)


def test_the_office_lists_waiting_questions_first_and_counts_them(
    question: ProductQuestion, buyer: Account, pens: Product, staff: Account, office: Client
) -> None:
    answer(question_ask(actor=buyer, code=pens.code, text="一盒有几支？"), staff)
    with no_scope():
        listed = [row.text for row in office.get(LIST).context["cl"].result_list]
        cards = office.get("/admin/").context["work_cards"]
    assert listed == [TEXT, "一盒有几支？"]
    assert {card["title"]: card["number"] for card in cards}["待回答提问"] == 1


def test_staff_take_and_answer_a_question(question: ProductQuestion, office: Client) -> None:
    with no_scope():
        office.post(LIST, {"action": "take_chosen", "_selected_action": [question.pk]})
        assert office.get(f"{LIST}?owner=mine").context["cl"].result_count == 1
        form = {
            "act": "1",
            "answer": "<b>可以</b>",
            "is_for_everybody": "on",
            "seen_answered_at": "",
        }
        assert office.post(f"{LIST}{question.pk}/answer/", form).status_code == 302
        stale = office.post(f"{LIST}{question.pk}/answer/", form).content.decode()
        page = office.get(f"{LIST}{question.pk}/change/").content.decode()
    assert "同事已回答或修改了回答" in stale
    assert "&lt;b&gt;可以&lt;/b&gt;" in page
    assert PublishedQuestion.objects.get().answer == "<b>可以</b>"


def test_a_line_end_of_an_answer_counts_as_one_character(
    question: ProductQuestion, office: Client
) -> None:
    """A browser sends two characters for each line end."""
    form = {"act": "1", "answer": ("字" * 49 + "\r\n") * 10, "seen_answered_at": ""}
    with no_scope():
        assert office.post(f"{LIST}{question.pk}/answer/", form).status_code == 302
    assert ProductQuestion.objects.get().answer == ("字" * 49 + "\n") * 9 + "字" * 49


def test_staff_cannot_publish_a_private_question(
    buyer: Account, pens: Product, office: Client
) -> None:
    question = question_ask(actor=buyer, code=pens.code, text=TEXT, is_private=True)
    with no_scope():
        form = {"answer": "可以", "is_for_everybody": "on", "seen_answered_at": ""}
        office.post(f"{LIST}{question.pk}/answer/", form)
    assert (PublishedQuestion.objects.count(), ProductQuestion.objects.get().state) == (
        0,
        "answered",
    )


@pytest.mark.parametrize(("job", "status"), [("客服", 200), ("商品", 200), ("财务", 403)])
def test_answering_requires_the_catalogue_job(
    question: ProductQuestion, job: str, status: int
) -> None:
    with no_scope():
        assert (
            open_office(create_staff(job)).get(f"{LIST}{question.pk}/answer/").status_code == status
        )
