"""Groups, enterprises, departments, roles, accounts, staff, addresses and invoice titles of the
demo.
"""

from __future__ import annotations

import base64
from decimal import Decimal

from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import Group as Job

from apps.identity.models import WeChatWorkAccount
from apps.identity.wechat_work import DemoWeChatWork
from apps.org.enums import AccountType
from apps.org.models import Account, Address, Department, Enterprise, Group, InvoiceTitle, Role
from apps.org.services.staff import staff_groups_sync
from demo.load.sheets import Sheet, get_sheet, is_yes, split_codes

DEMO_PASSWORD = "demo-Mall-2026"


def load_organisation() -> str:
    """Write the organisation. Return a summary in Chinese."""
    groups = {row["编码"]: _create_group(row) for row in get_sheet("enterprise/groups")}
    enterprises = {
        row["编码"]: _create_enterprise(row, groups[row["集团"]])
        for row in get_sheet("enterprise/enterprises")
    }
    departments = _create_departments(enterprises)
    roles = {
        row["编码"]: _create_role(row, groups[row["集团"]]) for row in get_sheet("enterprise/roles")
    }
    accounts = _create_accounts(groups, enterprises, departments, roles)
    _set_heads(departments, accounts)
    _create_staff()
    _create_addresses(enterprises, departments, accounts)
    _create_titles(enterprises)
    _bind_wechat_work(accounts)
    return (
        f"{len(groups)} 个集团，{len(enterprises)} 家企业，{len(departments)} 个部门，"
        f"{len(accounts)} 个账号"
    )


def _create_group(row: dict[str, str]) -> Group:
    group: Group = Group.objects.create(
        code=row["编码"],
        name=row["名称"],
        short_name=row["简称"],
        industry=row["行业"],
        theme_color=row["主题色"],
        allows_wechat_work=is_yes(row["企业微信登录"]),
        logo=_mark(row),
    )
    return group


def _mark(row: dict[str, str]) -> str:
    """Return the group's logo as a data URL: a tile with its first character, then its short
    name.
    """
    name, colour = row["简称"], row["主题色"]
    font = (
        'font-family="PingFang SC, Microsoft YaHei, Noto Sans CJK SC, sans-serif" font-weight="700"'
    )
    drawn = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{48 + 22 * len(name)}" height="40">'
        f'<rect y="2" width="36" height="36" rx="18" fill="{colour}"/>'
        f'<text x="18" y="27" text-anchor="middle" font-size="20" fill="#fff" {font}>{name[0]}'
        "</text>"
        f'<text x="44" y="27" font-size="20" fill="{colour}" {font}>{name}</text></svg>'
    )
    return f"data:image/svg+xml;base64,{base64.b64encode(drawn.encode()).decode()}"


def _create_enterprise(row: dict[str, str], group: Group) -> Enterprise:
    enterprise: Enterprise = Enterprise.objects.create(
        group=group,
        code=row["编码"],
        name=row["名称"],
        credit_code=row["统一社会信用代码"],
        province=row["省"],
        city=row["市"],
        district=row["区"],
        street=row["地址"],
        phone=row["电话"],
        credit_limit=Decimal(row["信用额度"]) if row["信用额度"] else None,
        credit_days=int(row["账期天数"] or 30),
        is_active=row["状态"] == "正常",
    )
    return enterprise


def _create_departments(enterprises: dict[str, Enterprise]) -> dict[str, Department]:
    result: dict[str, Department] = {}
    for row in get_sheet("enterprise/departments"):
        enterprise = enterprises[row["企业"]]
        result[row["编码"]] = Department.objects.create(
            group_id=enterprise.group_id,
            enterprise=enterprise,
            parent=result[row["上级"]] if row["上级"] else None,
            code=row["编码"],
            name=row["名称"],
            cost_center=row["成本中心"],
            position=int(row["排序"] or 0),
        )
    return result


def _create_role(row: dict[str, str], group: Group) -> Role:
    role: Role = Role.objects.create(
        group=group,
        code=row["编码"],
        name=row["名称"],
        menu_codes=split_codes(row["菜单编码"]),
        data_scope=row["数据范围"],
        purchasing=row["采购权限"],
    )
    return role


def _create_accounts(
    groups: dict[str, Group],
    enterprises: dict[str, Enterprise],
    departments: dict[str, Department],
    roles: dict[str, Role],
) -> dict[str, Account]:
    """Hash the demo password only once, because argon2 is slow by design."""
    password = make_password(DEMO_PASSWORD)
    result: dict[str, Account] = {}
    for row in get_sheet("enterprise/accounts"):
        account = Account(
            group=groups[row["集团"]],
            enterprise=enterprises[row["企业"]],
            department=departments[row["部门"]] if row["部门"] else None,
            username=row["用户名"],
            nickname=row["昵称"],
            full_name=row["姓名"],
            job_title=row["职务"],
            kind=AccountType.GROUP_ADMIN if row["类型"] == "GA" else AccountType.NORMAL,
            mobile=row["手机"],
            email=row["邮箱"],
            is_active=row["状态"] == "正常",
            password=password,
        )
        account.save()
        account.roles.set([roles[code] for code in split_codes(row["角色"])])
        result[account.username] = account
    return result


def _set_heads(departments: dict[str, Department], accounts: dict[str, Account]) -> None:
    for row in get_sheet("enterprise/departments"):
        if row["负责人"]:
            department = departments[row["编码"]]
            department.head = accounts[row["负责人"]]
            department.save(update_fields=["head", "updated_at"])


def _create_staff() -> None:
    staff_groups_sync()
    jobs = {job.name: job for job in Job.objects.all()}
    password = make_password(DEMO_PASSWORD)
    for row in get_sheet("enterprise/staff"):
        person = Account(
            username=row["用户名"],
            nickname=row["姓名"],
            full_name=row["姓名"],
            job_title=row["岗位"].replace(";", "、"),
            mobile=row["手机"],
            email=row["邮箱"],
            is_staff=True,
            is_superuser=is_yes(row["超级管理员"]),
            password=password,
        )
        person.save()
        person.groups.set([jobs[name] for name in split_codes(row["岗位"])])


def _create_addresses(
    enterprises: dict[str, Enterprise],
    departments: dict[str, Department],
    accounts: dict[str, Account],
) -> None:
    rows: Sheet = get_sheet("enterprise/addresses")
    Address.objects.bulk_create(
        Address(
            group_id=enterprises[row["企业"]].group_id,
            enterprise=enterprises[row["企业"]],
            department=departments[row["部门"]] if row["部门"] else None,
            account=accounts[row["账号"]] if row["账号"] else None,
            label=row["标签"],
            postal_code=row["邮编"],
            receiver=row["收货人"],
            mobile=row["手机"],
            province=row["省"],
            city=row["市"],
            district=row["区"],
            street=row["详细地址"],
            is_default=is_yes(row["是否默认"]),
        )
        for row in rows
    )


def _create_titles(enterprises: dict[str, Enterprise]) -> None:
    InvoiceTitle.objects.bulk_create(
        InvoiceTitle(
            group_id=enterprises[row["企业"]].group_id,
            enterprise=enterprises[row["企业"]],
            title=row["抬头"],
            tax_number=row["税号"],
            address=row["地址"],
            phone=row["电话"],
            bank=row["开户行"],
            bank_account=row["账号"],
            is_default=is_yes(row["是否默认"]),
            has_special_qualification=row["专票资质"] == "已通过",
        )
        for row in get_sheet("enterprise/invoice_titles")
    )


def _bind_wechat_work(accounts: dict[str, Account]) -> None:
    WeChatWorkAccount.objects.bulk_create(
        WeChatWorkAccount(
            corp_id=DemoWeChatWork.corp_id, user_id=row["成员账号"], account=accounts[row["用户名"]]
        )
        for row in get_sheet("enterprise/wechat_work")
    )
