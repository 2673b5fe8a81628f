"""Undo a change of a number or mail address with the link in the mail to the old address."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.utils import timezone

from apps.common.background.delivery import outbox_deliver
from apps.common.tenancy import no_scope
from apps.common.testing import ApiClient
from apps.identity.models import ContactUndo, ResetCode, WeChatWorkAccount
from apps.identity.services.contacts import contact_change_announce, get_contacts
from apps.identity.services.purge import identity_purge
from apps.identity.services.wechat_work import wechat_work_link
from apps.identity.wechat_work import DemoWeChatWork
from apps.org.models import Account, OrganisationChange
from apps.org.tests.factories import AccountFactory

CHECK, UNDO = "/api/Account/CheckContactUndo", "/api/Account/UndoContact"
OLD, NEW = "buyer@yf.example", "thief@evil.example"


def letter_of(account: Account, **values: str) -> str:
    """Change the account, report the change with `contact_change_announce`, and return the
    mail to the old address.
    """
    before = get_contacts(account)
    for name, value in values.items():
        setattr(account, name, value)
    account.save()
    contact_change_announce(account=account, before=before)
    outbox_deliver()
    assert mail.outbox[-1].to == [before["email"]]
    return str(mail.outbox[-1].body)


def change_contact(account: Account, **values: str) -> str:
    """Change a contact of the account. Return the key in the mail to the old address."""
    match = re.search(r"/contactUndo#key=(\S+)", letter_of(account, **values))
    assert match is not None
    return match[1]


def visit(path: str, key: str) -> Any:
    """Call the API without a sign-in."""
    with no_scope():
        return ApiClient().post(path, {"Key": key})


def test_opening_the_undo_link_shows_the_change_and_changes_nothing(mailed: Account) -> None:
    key = change_contact(mailed, email=NEW)
    rows = [visit(CHECK, key).body for _ in range(2)]

    texts = ("email", "邮箱", "buyer", "b***@yf.example", "t***@evil.example")
    assert [
        tuple(body[name] for name in ("Kind", "KindText", "UserName", "OldValue", "NewValue"))
        for body in rows
    ] == [texts] * 2
    mailed.refresh_from_db()
    assert mailed.email == NEW


def test_the_undo_restores_the_address_and_ends_every_way_in(mailed: Account) -> None:
    thief = ApiClient(mailed)
    key = change_contact(mailed, email=NEW)
    code = ResetCode.objects.create(
        account=mailed, code_hash="x", expires_at=timezone.now() + timedelta(minutes=5)
    )
    answer = visit(UNDO, key)

    assert answer.message == "邮箱已恢复，该账号的全部登录已结束"
    mailed.refresh_from_db()
    code.refresh_from_db()
    assert mailed.email == OLD
    assert thief.get("/api/Account/Profile").status == 401
    assert code.expires_at <= timezone.now()


def test_the_undo_removes_the_wechat_work_binding_made_after_the_change(mailed: Account) -> None:
    key = change_contact(mailed, email=NEW)
    wechat_work_link(account=mailed, corp_id=DemoWeChatWork.corp_id, user_id="thief", by=None)
    before = visit(CHECK, key).body["WeChatWorkMembers"]
    answer = visit(UNDO, key)

    assert (before, answer.body["WeChatWorkMembers"]) == (["thief"], ["thief"])
    assert answer.message == "邮箱已恢复，该账号的全部登录已结束，此后绑定的企业微信已解除"
    assert not WeChatWorkAccount.objects.filter(account=mailed).exists()
    assert OrganisationChange.objects.get(subject_id=mailed.pk).note == (
        "由原邮箱收到的链接撤销更换；解除此后绑定的企业微信 thief"
    )


def test_the_undo_keeps_the_wechat_work_binding_made_before_the_change(mailed: Account) -> None:
    wechat_work_link(account=mailed, corp_id=DemoWeChatWork.corp_id, user_id="owner", by=None)
    answer = visit(UNDO, change_contact(mailed, email=NEW))

    assert answer.body["WeChatWorkMembers"] == []
    assert WeChatWorkAccount.objects.filter(account=mailed, user_id="owner").exists()


def test_change_mail_states_that_the_undo_removes_later_wechat_work_bindings(
    mailed: Account,
) -> None:
    assert "更换之后绑定的企业微信随即解除" in letter_of(mailed, email=NEW)


def test_undone_mobile_change_is_restored_and_recorded(mailed: Account) -> None:
    visit(UNDO, change_contact(mailed, mobile="13911112222"))

    mailed.refresh_from_db()
    assert mailed.mobile == "13800000000"
    row = OrganisationChange.objects.get(subject_type="account", subject_id=mailed.pk)
    assert (row.actor, row.note) == (None, "由原邮箱收到的链接撤销更换")
    assert row.changes == [
        {"field": "mobile", "label": "手机号码", "before": "13911112222", "after": "13800000000"}
    ]


def test_a_link_is_good_once(mailed: Account) -> None:
    key = change_contact(mailed, email=NEW)
    visit(UNDO, key)
    client = ApiClient(mailed)

    assert [visit(path, key).code for path in (UNDO, CHECK)] == ["wrong_state"] * 2
    assert "撤销，无需重复操作" in visit(UNDO, key).message
    assert client.get("/api/Account/Profile").ok


def test_a_link_runs_out_after_72_hours(mailed: Account) -> None:
    key = change_contact(mailed, email=NEW)
    hours = (ContactUndo.objects.get().expires_at - timezone.now()).total_seconds() / 3600
    ContactUndo.objects.update(expires_at=timezone.now())

    assert 71 < hours <= 72
    assert visit(UNDO, key).message.startswith("该链接已失效")
    mailed.refresh_from_db()
    assert mailed.email == NEW


@pytest.mark.parametrize("key", ["1", "1:forged", "0", "x:y", ":"])
def test_forged_undo_key_is_not_found(mailed: Account, key: str) -> None:
    change_contact(mailed, email=NEW)

    assert (visit(UNDO, key).code, visit(CHECK, key).code) == ("not_found", "not_found")


def test_first_address_can_undo_after_several_changes(mailed: Account) -> None:
    first = change_contact(mailed, email=NEW)
    letters = [
        letter_of(mailed, **change)
        for change in ({"email": "other@evil.example"}, {"mobile": "13911112222"})
    ]

    assert ["/contactUndo" in letter for letter in letters] == [False, False]
    assert visit(UNDO, first).ok
    mailed.refresh_from_db()
    assert mailed.email == OLD


def test_a_corrected_address_gets_no_link_to_take_the_account_back(mailed: Account) -> None:
    change_contact(mailed, email=NEW)

    assert "/contactUndo" not in letter_of(mailed, email=OLD)


def test_an_undone_number_leaves_the_link_that_restores_the_address(mailed: Account) -> None:
    mobile = change_contact(mailed, mobile="13911112222")
    address = change_contact(mailed, email=NEW)
    visit(UNDO, mobile)

    assert visit(UNDO, address).ok
    mailed.refresh_from_db()
    assert (mailed.mobile, mailed.email) == ("13800000000", OLD)


def test_undo_is_refused_for_an_address_used_by_a_colleague(mailed: Account) -> None:
    key = change_contact(mailed, email=NEW)
    colleague = AccountFactory(department=mailed.department, username="heir", email=OLD.upper())

    assert [visit(path, key).message for path in (CHECK, UNDO)] == [
        "原邮箱已用于贵司其他账号，不能自动恢复，请联系贵司管理员处理"
    ] * 2
    mailed.refresh_from_db()
    assert mailed.email == NEW
    Account.objects.filter(pk=colleague.pk).update(is_active=False)
    assert visit(UNDO, key).ok


def test_undo_for_a_disabled_account_is_refused(mailed: Account) -> None:
    key = change_contact(mailed, email=NEW)
    Account.objects.filter(pk=mailed.pk).update(is_active=False)

    assert visit(UNDO, key).message == "账号已停用，不能撤销，请联系贵司管理员"


def test_expired_undo_link_is_purged_after_thirty_days(mailed: Account) -> None:
    change_contact(mailed, email=NEW)
    for days in (29, 31):
        ContactUndo.objects.update(expires_at=timezone.now() - timedelta(days=days))
        identity_purge()
        assert ContactUndo.objects.exists() is (days == 29)
