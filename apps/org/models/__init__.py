"""Models of the customer's organisation."""

from apps.org.models.account import Account, GrantedRole, PersonLimit, PurchaseLimit, Role
from apps.org.models.group import (
    Address,
    Department,
    Enterprise,
    Group,
    InvoiceTitle,
    OrganisationChange,
)

__all__ = [
    "Account",
    "Address",
    "Department",
    "Enterprise",
    "GrantedRole",
    "Group",
    "InvoiceTitle",
    "OrganisationChange",
    "PersonLimit",
    "PurchaseLimit",
    "Role",
]
