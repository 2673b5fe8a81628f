"""The sheet of accounts: its columns, the template to fill in, and what an export holds."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils import timezone

from apps.common.excel.writer import Cell
from apps.org.models import Account
from apps.org.selectors.account_list import AccountFilter, accounts_listed, state_of

# Column title → field of the row's form; `*` marks what must be filled in.
COLUMNS = {
    "账号*": "username",
    "昵称*": "nickname",
    "姓名": "full_name",
    "职务": "job_title",
    "手机号码": "mobile",
    "邮箱": "email",
    "企业编码*": "enterprise",
    "部门编码*": "department",
    "角色": "roles",
}
HEADER = tuple(COLUMNS)
EXAMPLE: tuple[Cell, ...] = (
    "zhang.san",
    "张三",
    "张三",
    "采购专员",
    "13800000000",
    "zhang.san@example.com",
    "E001",
    "D001",
    "采购员、报表查看",
)
EXPORT_MORE = ("账号类型", "企业名称", "部门名称", "状态", "最近登录", "创建时间")
BATCH = 1000


def export_header() -> tuple[str, ...]:
    """Return the titles of an export: those of the template first, so that it can be changed and read in again."""
    return (*HEADER, *EXPORT_MORE)


def export_rows(*, actor: Account, wanted: AccountFilter) -> Iterator[tuple[Cell, ...]]:
    """Yield the accounts of the list as rows; two queries per 1,000 of them."""
    for account in accounts_listed(actor=actor, wanted=wanted).iterator(chunk_size=BATCH):
        enterprise, department = account.enterprise, account.department
        yield (
            account.username,
            account.nickname,
            account.full_name,
            account.job_title,
            account.mobile,
            account.email,
            enterprise.code if enterprise else "",
            department.code if department else "",
            "、".join(role.name for role in account.roles.all()),
            account.get_kind_display(),
            enterprise.name if enterprise else "",
            department.name if department else "",
            state_of(account).label,
            timezone.localtime(account.last_login) if account.last_login else None,
            timezone.localtime(account.created_at),
        )
