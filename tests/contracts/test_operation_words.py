"""/api/docs is in Chinese: every operation has a group, its own summary, and a text about who
may call it.
"""

from __future__ import annotations

import re
from collections import Counter

from django.conf import settings

from mall.api_words import APPS, GROUPS, PARAMETER_TEXTS, WORDS
from tests.contracts.operations import OPERATIONS, SCHEMA, Operation

LONGEST = 24
# Words that an integrator reads as they are: keys, formats, names of products.
FOREIGN = re.compile(r"[A-Za-z][A-Za-z.]*")
KNOWN = {
    *(
        "AI",
        "PDF",
        "XML",
        "OFD",
        "PNG",
        "JPEG",
        "WebP",
        "MB",
        "https",
        "Id",
        "Type",
        "Box",
        "Scope",
        "Facets",
        "Total",
        "Confirm",
        "ParentId",
    ),
    *(
        "FileId",
        "Url",
        "ImageKey",
        "AllowedActions",
        "CaptchaVerifyParam",
        "code",
        "state",
        "true",
        "todo",
        "done",
        "mine",
    ),
    *("enterprise", "industry", "text", "event", "stream"),
}


def get_own_words(operation: Operation) -> str:
    """Return the operation's text from its app."""
    return WORDS[str(operation)][1][1]


def test_every_operation_has_words_and_every_word_an_operation() -> None:
    assert {str(operation) for operation in OPERATIONS} == set(WORDS)
    assert len(WORDS) == sum(
        len(operations) for app in APPS for operations in app.OPERATION_TEXTS.values()
    )


def test_a_summary_is_short_and_chinese() -> None:
    wrong = [
        (str(operation), operation.spec.get("summary"))
        for operation in OPERATIONS
        if not re.fullmatch(
            rf"[\u4e00-\u9fff][\u4e00-\u9fff ]{{1,{LONGEST - 1}}}",
            operation.spec.get("summary", "").replace("PDF", ""),
        )
    ]

    assert wrong == []


def test_no_summary_is_double_within_its_group() -> None:
    counted = Counter(
        (operation.spec["tags"][0], operation.spec["summary"]) for operation in OPERATIONS
    )

    assert [pair for pair, count in counted.items() if count > 1] == []


def test_no_description_is_in_english() -> None:
    wrong = [
        (str(operation), foreign)
        for operation in OPERATIONS
        if (
            foreign := set(
                FOREIGN.findall(
                    re.sub(r"`[^`]*`", "", operation.spec["description"].partition("RetCode：")[0])
                )
            )
            - KNOWN
        )
    ]

    assert wrong == []


def test_a_description_is_three_sentences_at_most_and_ends() -> None:
    wrong = [
        str(operation)
        for operation in OPERATIONS
        if (own_words := get_own_words(operation))
        and (own_words[-1] != "。" or own_words.count("。") > 3)
    ]

    assert wrong == []


def test_every_operation_description_names_its_menu_permission() -> None:
    described = {str(operation): operation.spec["description"] for operation in OPERATIONS}

    assert (
        "需要菜单权限：集团管理（`management.group`）。运营人员代客户登录期间不可调用。"
        in described["DELETE /api/Webhook/{Id}"]
    )
    assert (
        "需要以下菜单权限之一：订单列表（`order.list`）、订单审批（`order.approval`）。"
        in described["GET /api/Order/{OrderNo}"]
    )
    assert "公开接口。" in described["POST /api/Account/Login"]
    assert [
        name
        for name, row in described.items()
        if not re.search("公开接口。|登录后即可调用。|需要(菜单权限|以下菜单权限之一)：", row)
    ] == []


def test_every_idempotent_operation_describes_its_key_header() -> None:
    keyed = {
        str(one): spec.get("required", False) for one in OPERATIONS for spec in build_headers(one)
    }

    assert [name for name, is_required in keyed.items() if is_required] == [
        "POST /api/InvoiceApplication",
        "POST /api/Order",
    ]
    assert len(keyed) == 98
    assert all(
        (
            "`Idempotency-Key`。" in one.spec["description"]
            or "可带 `Idempotency-Key`" in one.spec["description"]
        )
        == (str(one) in keyed)
        for one in OPERATIONS
    )


def test_every_parameter_has_a_chinese_description() -> None:
    parameters = [
        (str(one), spec["name"], spec.get("description", ""))
        for one in OPERATIONS
        for spec in one.spec.get("parameters", ())
    ]

    assert [
        (name, key) for name, key, text in parameters if not re.search("[\u4e00-\u9fff]", text)
    ] == []
    assert set(PARAMETER_TEXTS.values()) - {text for _, _, text in parameters} == set()


def build_headers(operation: Operation) -> list[dict[str, object]]:
    return [
        one
        for one in operation.spec.get("parameters", ())
        if one["in"] == "header" and one["name"] == "Idempotency-Key"
    ]


def test_schema_tags_follow_the_group_order_and_none_is_empty() -> None:
    assert [tag["name"] for tag in SCHEMA["tags"]] == list(GROUPS)
    assert {operation.spec["tags"][0] for operation in OPERATIONS} == set(GROUPS)
    assert all(GROUPS.values())


def test_each_apps_words_stand_beside_its_views() -> None:
    apps = {
        path.parts[-3] for path in (settings.BASE_DIR / "apps").glob("*/api/operation_texts.py")
    }

    assert apps == {
        path.parts[-3]
        for path in (settings.BASE_DIR / "apps").glob("*/api/*.py")
        if "ViewSet)" in path.read_text("utf-8")
    }
