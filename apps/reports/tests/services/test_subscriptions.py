"""A subscription over time: sent once per period, each recipient in their own data scope, never
to an account that lost the right.
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest
from django.core import mail
from django.utils import timezone

from apps.calendar.models import CalendarDay
from apps.catalog.tests.factories import ProductFactory
from apps.common.errors import ValidationFailed
from apps.common.models.outbox import OutboxMessage
from apps.common.tenancy import platform_scope
from apps.notices.models import Notice
from apps.org.menus import MenuCode
from apps.org.models import Account, Group
from apps.org.tests.factories import AccountFactory, RoleFactory
from apps.reports.enums import ReportName
from apps.reports.models import (
    ReportLetter,
    ReportRecipient,
    ReportSend,
    ReportSubscription,
    SavedView,
)
from apps.reports.services import sends
from apps.reports.services.saved_views import view_delete
from apps.reports.services.sends import (
    GIVE_UP_AFTER,
    MIN_ATTEMPTS,
    NothingToSend,
    get_reader,
    sends_purge,
    subscription_begin,
    subscriptions_send_due,
)
from apps.reports.services.subscriptions import subscription_update, unsubscribe_set
from apps.reports.tests.subscribing import (
    ADDRESS,
    build_figures,
    create_view,
    list_notices,
    look_at,
    make_due_again,
    parse_moment,
    set_mail_address,
    subscribe,
)
from apps.reports.tests.trading import buy_at, deliver
from demo.load.clock import clock_at

BEGIN = parse_moment("2026-11-02 07:00")
DUE = parse_moment("2026-11-02 08:30")


@pytest.fixture
def controller(ga: Account) -> Account:
    return set_mail_address(ga, "ga@yunfan.example")


@pytest.fixture
def colleague(shopper: Account) -> Account:
    return set_mail_address(shopper, "buyer@yunfan.example")


@pytest.fixture
def outsider(controller: Account) -> ReportSubscription:
    """A subscription with one mail address and no account as recipient."""
    with clock_at(BEGIN):
        return subscribe(controller, addresses=(ADDRESS,))


def start_subscription(owner: Account, *people: Account, **more: Any) -> ReportSubscription:
    with clock_at(BEGIN):
        return subscribe(owner, *people, **more)


def test_subscription_is_sent_at_its_time_and_not_before(outsider: ReportSubscription) -> None:
    assert look_at(DUE - timedelta(seconds=1)) == 0
    assert look_at(DUE) == 1
    assert [letter.to for letter in mail.outbox] == [[ADDRESS]]
    assert ReportSubscription.objects.get().next_at == parse_moment("2026-11-03 08:30")


def test_repeated_run_for_a_period_sends_nothing(outsider: ReportSubscription) -> None:
    look_at(DUE)
    assert look_at(DUE + timedelta(minutes=1)) == 0
    assert (len(mail.outbox), ReportSend.objects.count()) == (1, 1)


def test_two_jobs_that_list_a_subscription_begin_one_send(
    outsider: ReportSubscription,
) -> None:
    query = (outsider.pk, outsider.group_id, DUE)
    with clock_at(DUE), platform_scope(reason="test"):
        assert [subscription_begin(*query), subscription_begin(*query)] == [True, False]
    assert ReportSend.objects.count() == 1


def test_a_report_goes_to_at_most_ten_addresses(controller: Account) -> None:
    addresses = tuple(f"{at}@yunfan.example" for at in range(11))
    assert start_subscription(controller, addresses=addresses[:10]).recipients.count() == 10
    with pytest.raises(ValidationFailed, match="最多 20 位同事、10 个邮箱"):
        start_subscription(controller, addresses=addresses, view=SavedView.objects.get())


def test_three_missed_days_are_sent_once_as_of_the_last(outsider: ReportSubscription) -> None:
    assert look_at(parse_moment("2026-11-05 07:00")) == 1
    send = ReportSend.objects.get()
    assert (send.due_at, send.state, len(mail.outbox)) == (
        parse_moment("2026-11-04 08:30"),
        "sent",
        1,
    )
    assert ReportSubscription.objects.get().next_at == parse_moment("2026-11-05 08:30")


def test_a_period_is_as_of_its_day_however_late_it_is_written(controller: Account) -> None:
    start_subscription(
        controller,
        controller,
        view=create_view(controller, filters={"Period": "last_month"}),
        frequency="monthly",
        month_day=30,
    )
    look_at(parse_moment("2026-12-02 09:00"))
    assert build_figures(0)["统计期间"] == "2026-10-01 至 2026-10-31（上月）"


def test_a_day_that_has_become_a_holiday_is_left_out(controller: Account) -> None:
    start_subscription(controller, controller, shift="skip")
    CalendarDay.objects.create(day=date(2026, 11, 2), is_worked=False, name="临时放假")
    assert look_at(DUE) == 0
    assert (len(mail.outbox), ReportSubscription.objects.get().next_at) == (
        0,
        parse_moment("2026-11-03 08:30"),
    )


def test_each_person_reads_his_own_scope_and_an_address_the_owners(
    controller: Account, colleague: Account
) -> None:
    buy_at(parse_moment("2026-11-01 10:00"), colleague, (ProductFactory(market_price="10.00"), 1))
    other = AccountFactory(
        department=colleague.department,
        username="other_buyer",
        roles=list(colleague.roles.all()),
        email="b2@yunfan.example",
    )
    deliver()
    start_subscription(controller, colleague, other, addresses=(ADDRESS,))
    look_at(DUE)
    assert [letter.to[0] for letter in mail.outbox] == [
        "buyer@yunfan.example",
        "b2@yunfan.example",
        ADDRESS,
    ]
    whole = build_figures(0)["含税金额"]
    assert whole > 0
    assert [(build_figures(n)["含税金额"], build_figures(n)["数据范围"]) for n in range(3)] == [
        (whole, "仅本人"),
        (0, "仅本人"),
        (whole, "全集团"),
    ]


def test_a_letter_carries_both_files_and_its_link(controller: Account) -> None:
    start_subscription(controller, controller)
    look_at(DUE)
    letter = mail.outbox[0]
    assert [file[0] for file in letter.attachments] == [
        "月报_20261101-20261102.pdf",
        "月报_20261101-20261102.xlsx",
    ]
    assert letter.attachments[0][1][:5] == b"%PDF-"
    assert "/reportMail#key=" in str(letter.body)
    # The link names fixed days, so the page shows the days of the mail even months later.
    assert "Period=custom&From=2026-11-01&To=2026-11-02" in str(letter.body)


@pytest.mark.parametrize("report", ReportName.values)
def test_each_of_the_five_reports_is_sent_with_both_files(
    controller: Account, colleague: Account, report: str
) -> None:
    buy_at(parse_moment("2026-11-01 10:00"), colleague, (ProductFactory(market_price="10.00"), 2))
    deliver()
    start_subscription(controller, controller, view=create_view(controller, report=report))
    look_at(DUE)
    letter = ReportLetter.objects.get()
    assert (letter.state, letter.note, len(mail.outbox[0].attachments)) == ("sent", "", 2)


def test_recipient_without_the_report_permission_is_skipped(
    controller: Account, colleague: Account
) -> None:
    start_subscription(controller, controller, colleague)
    colleague.roles.set([RoleFactory(group=colleague.group, menu_codes=[MenuCode.ORDER_LIST])])
    look_at(DUE)
    send = ReportSend.objects.get()
    assert list_notices(send) == [
        ("集管", "sent", ""),
        (colleague.nickname, "skipped", "已没有该报表的权限"),
    ]
    assert (send.state, len(mail.outbox)) == ("sent", 1)


def test_disabled_recipient_is_skipped(controller: Account, colleague: Account) -> None:
    start_subscription(controller, colleague)
    Account.objects.filter(pk=colleague.pk).update(is_active=False)
    look_at(DUE)
    assert list_notices(ReportSend.objects.get()) == [(colleague.nickname, "skipped", "账号已停用")]
    assert (ReportSend.objects.get().state, mail.outbox) == ("skipped", [])


def test_disabled_group_gets_no_sends_and_the_last_missed_one_after_enabling(
    outsider: ReportSubscription,
) -> None:
    Group.objects.update(is_active=False)
    assert (
        look_at(DUE),
        look_at(DUE + timedelta(days=2)),
        mail.outbox,
        ReportSend.objects.count(),
    ) == (0, 0, [], 0)

    Group.objects.update(is_active=True)

    assert look_at(parse_moment("2026-11-05 07:00")) == 1
    assert (ReportSend.objects.get().due_at, len(mail.outbox)) == (
        parse_moment("2026-11-04 08:30"),
        1,
    )


def test_a_letter_under_way_when_the_group_is_disabled_is_skipped_and_its_subscription_goes_on(
    outsider: ReportSubscription,
) -> None:
    with clock_at(DUE), platform_scope(reason="test"):
        subscriptions_send_due()
    Group.objects.update(is_active=False)
    with clock_at(DUE):
        deliver()

    assert (list_notices(ReportSend.objects.get()), mail.outbox) == (
        [(ADDRESS, "skipped", "集团已停用")],
        [],
    )
    assert ReportSubscription.objects.get().is_active


def test_subscription_is_paused_when_its_owner_loses_the_permission(
    controller: Account, colleague: Account
) -> None:
    start_subscription(colleague, controller)
    colleague.roles.set([RoleFactory(group=colleague.group, menu_codes=[MenuCode.ORDER_LIST])])
    look_at(DUE)
    row = ReportSubscription.objects.get()
    assert (row.is_active, row.next_at, row.paused_reason) == (
        False,
        None,
        "订阅创建人已没有该报表的权限",
    )
    assert mail.outbox == [] or all("报表订阅" in letter.subject for letter in mail.outbox)
    assert Notice.objects.get(kind="report_trouble").title == "报表订阅“月报”已自动暂停"
    assert look_at(DUE + timedelta(days=1)) == 0


def test_address_outside_the_group_domains_is_skipped(
    controller: Account, outsider: ReportSubscription
) -> None:
    set_mail_address(controller, "ga@other.example")
    look_at(DUE)
    assert list_notices(ReportSend.objects.get()) == [(ADDRESS, "skipped", "不再是贵司的企业邮箱")]


def test_address_that_belongs_to_a_colleague_is_skipped(
    colleague: Account, outsider: ReportSubscription
) -> None:
    set_mail_address(colleague, ADDRESS)
    look_at(DUE)
    assert list_notices(ReportSend.objects.get()) == [
        (ADDRESS, "skipped", "该邮箱已属于同事账号，请改为选择同事")
    ]


def test_subscription_without_active_recipients_is_skipped(outsider: ReportSubscription) -> None:
    ReportRecipient.objects.update(unsubscribed_at=timezone.now())
    look_at(DUE)
    assert (ReportSend.objects.get().state, ReportSend.objects.get().note) == (
        "skipped",
        "收件人均已退订或移出名单",
    )


def test_a_report_that_breaks_is_written_down_and_tried_again(
    controller: Account, monkeypatch: Any
) -> None:
    start_subscription(controller, controller)
    monkeypatch.setattr(sends, "letter_write", _raise_broken)
    look_at(DUE)
    letter = ReportLetter.objects.get()
    assert (letter.state, letter.attempts, letter.note) == ("waiting", 1, "RuntimeError: 模板损坏")
    assert OutboxMessage.objects.get(topic="report.letter").available_at == DUE + timedelta(
        seconds=5
    )
    monkeypatch.undo()
    look_at(DUE + timedelta(seconds=6))
    assert (
        ReportLetter.objects.get().state,
        ReportLetter.objects.get().attempts,
        len(mail.outbox),
    ) == ("sent", 2, 1)


def test_send_fails_after_a_day_of_errors_and_its_owner_is_notified(
    controller: Account, monkeypatch: Any
) -> None:
    start_subscription(controller, controller)
    monkeypatch.setattr(sends, "letter_write", _raise_broken)
    look_at(DUE)
    ReportLetter.objects.update(attempts=MIN_ATTEMPTS - 1)
    ReportSend.objects.update(created_at=DUE - GIVE_UP_AFTER)
    make_due_again()
    look_at(DUE + timedelta(minutes=1))
    assert (ReportLetter.objects.get().state, ReportSend.objects.get().state) == (
        "failed",
        "failed",
    )
    assert Notice.objects.get(kind="report_trouble").title == "报表订阅“月报”发送失败"


def _raise_broken(**_named: Any) -> None:
    raise RuntimeError("模板损坏")


def test_unshared_view_pauses_its_subscribers(controller: Account, colleague: Account) -> None:
    view = create_view(controller, shared=True)
    start_subscription(colleague, colleague, view=view)
    view.shared = False
    view.save()
    look_at(DUE)
    assert ReportSubscription.objects.get().paused_reason == "视图已取消共享"


def test_deleted_shared_view_pauses_the_subscriptions_of_others(
    controller: Account, colleague: Account
) -> None:
    view = create_view(controller, shared=True)
    start_subscription(colleague, colleague, view=view)
    view_delete(actor=controller, pk=str(view.pk))
    deliver()
    row = ReportSubscription.objects.get()
    assert (row.view_id, row.is_active, row.paused_reason) == (
        None,
        False,
        "视图“月报”已被其创建人删除",
    )
    assert Notice.objects.get(kind="report_trouble").recipient_id == colleague.pk


def test_paused_subscription_is_not_due_and_resumes_at_its_next_time(
    controller: Account, outsider: ReportSubscription
) -> None:
    subscription_update(
        actor=controller,
        pk=str(outsider.pk),
        changes={"is_active": False},
        account_ids=None,
        addresses=None,
    )
    assert look_at(DUE) == 0
    with clock_at(parse_moment("2026-11-04 12:00")):
        row = subscription_update(
            actor=controller,
            pk=str(outsider.pk),
            changes={"is_active": True},
            account_ids=None,
            addresses=None,
        )
    assert (row.next_at, len(mail.outbox)) == (parse_moment("2026-11-05 08:30"), 0)


def test_letter_of_a_dead_worker_is_sent_again_after_its_claim(
    outsider: ReportSubscription,
) -> None:
    look_at(DUE)
    ReportLetter.objects.update(state="sending", claimed_at=DUE)
    OutboxMessage.objects.update(delivered_at=None)
    make_due_again()
    look_at(DUE + timedelta(minutes=1))
    assert ReportLetter.objects.get().state == "sending"
    make_due_again()
    look_at(DUE + timedelta(minutes=6))
    assert (ReportLetter.objects.get().state, len(mail.outbox)) == ("sent", 2)
    assert mail.outbox[0].extra_headers["Message-ID"] == mail.outbox[1].extra_headers["Message-ID"]


def test_unsubscribed_by_the_link_and_back_again(outsider: ReportSubscription) -> None:
    look_at(DUE)
    key = str(mail.outbox[0].body).partition("#key=")[2].split()[0]
    assert unsubscribe_set(key=key, is_on=False).is_on is False
    look_at(DUE + timedelta(days=1))
    assert len(mail.outbox) == 1
    assert unsubscribe_set(key=key, is_on=True).is_on is True
    look_at(DUE + timedelta(days=2))
    assert len(mail.outbox) == 2


def test_a_year_later_it_is_forgotten(outsider: ReportSubscription) -> None:
    look_at(DUE)
    ReportSend.objects.update(created_at=timezone.now() - timedelta(days=367))
    assert sends_purge() == 2


def test_a_views_name_is_no_part_of_a_letters_head(controller: Account) -> None:
    """A line break in the name of an attachment prevented every mail of the view."""
    with clock_at(BEGIN):
        subscribe(
            controller,
            controller,
            view=create_view(controller, name="July\r\nBcc: x@evil.example/.."),
        )
    look_at(DUE)

    assert list_notices(ReportSend.objects.get()) == [(controller.nickname, "sent", "")]
    letter = mail.outbox[0].message()
    assert letter["Bcc"] is None
    assert 'filename="July Bcc_ x@evil.example_.._20261101-20261102.pdf"' in letter.as_string()


def test_a_letter_that_waits_has_no_reader_after_the_reader_unsubscribed(
    outsider: ReportSubscription,
) -> None:
    look_at(DUE)
    ReportRecipient.objects.update(unsubscribed_at=timezone.now())

    with pytest.raises(NothingToSend, match="已退订"):
        get_reader(ReportLetter.objects.get(), outsider.view)
