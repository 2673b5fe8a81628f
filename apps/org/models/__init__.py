"""Models of the customer's organisation."""

from apps.org.models.account import Account, PersonLimit, PurchaseLimit, Role
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
    "Group",
    "InvoiceTitle",
    "OrganisationChange",
    "PersonLimit",
    "PurchaseLimit",
    "Role",
]
