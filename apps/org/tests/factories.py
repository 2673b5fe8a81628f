"""Factories for customers. They create rows in the open tenant scope; the fixtures open it."""

from __future__ import annotations

from typing import Any

import factory

from apps.common.testing.factories import RowFactory
from apps.org.enums import AccountType, DataScope
from apps.org.menus import ENTRY_CODES
from apps.org.models import Account, Address, Department, Enterprise, Group, Role
from apps.org.validators import ALPHABET, check_digit

PASSWORD = "demo-Mall-2026"


def build_credit_code(number: int) -> str:
    """Return a fictitious 统一社会信用代码 with a valid check digit."""
    first = f"91310000MA{number:07d}"
    assert all(char in ALPHABET for char in first)
    return first + check_digit(first)


class GroupFactory(RowFactory[Group]):
    class Meta:
        model = Group

    code = factory.Sequence(lambda n: f"G{n:04d}")
    name = factory.Sequence(lambda n: f"云帆{n}集团")


class EnterpriseFactory(RowFactory[Enterprise]):
    class Meta:
        model = Enterprise

    group = factory.SubFactory(GroupFactory)
    code = factory.Sequence(lambda n: f"E{n:04d}")
    name = factory.Sequence(lambda n: f"云帆{n}科技有限公司")
    credit_code = factory.Sequence(build_credit_code)


class DepartmentFactory(RowFactory[Department]):
    class Meta:
        model = Department

    enterprise = factory.SubFactory(EnterpriseFactory)
    group = factory.SelfAttribute("enterprise.group")
    code = factory.Sequence(lambda n: f"D{n:04d}")
    name = factory.Sequence(lambda n: f"第{n}部")


class RoleFactory(RowFactory[Role]):
    class Meta:
        model = Role

    group = factory.SubFactory(GroupFactory)
    code = factory.Sequence(lambda n: f"R{n:04d}")
    name = "采购员"
    menu_codes = factory.LazyFunction(lambda: list(ENTRY_CODES))
    data_scope = DataScope.OWN


class AccountFactory(RowFactory[Account]):
    """A customer's account. `department=` also sets its enterprise and group. The password is
    PASSWORD.
    """

    class Meta:
        model = Account
        skip_postgeneration_save = True

    department = factory.SubFactory(DepartmentFactory)
    enterprise = factory.SelfAttribute("department.enterprise")
    group = factory.SelfAttribute("enterprise.group")
    username = factory.Sequence(lambda n: f"user{n}")
    nickname = factory.Sequence(lambda n: f"员工{n}")
    kind = AccountType.NORMAL
    mobile = "13800000000"

    @classmethod
    def _create(cls, model_class: type[Account], *args: Any, **kwargs: Any) -> Account:
        password = kwargs.pop("password", PASSWORD)
        roles = kwargs.pop("roles", ())
        account = model_class(*args, **kwargs)
        account.set_password(password)
        account.save()
        if roles:
            account.roles.add(*roles)
        return account


class StaffFactory(AccountFactory):
    """An account of 运营 without a group. It is a superuser by default."""

    department = None
    enterprise = None
    group = None
    username = factory.Sequence(lambda n: f"staff{n}")
    mobile = ""
    is_staff = True
    is_superuser = True


class AddressFactory(RowFactory[Address]):
    class Meta:
        model = Address

    enterprise = factory.SubFactory(EnterpriseFactory)
    group = factory.SelfAttribute("enterprise.group")
    receiver = "王小明"
    mobile = "13900000000"
    province = "上海市"
    city = "上海市"
    district = "浦东新区"
    street = "世纪大道 100 号"
    postal_code = "200120"
