"""Models of the customer's organisation."""

from apps.org.models.account import Account, GrantedRole, PersonLimit, Role
from apps.org.models.address import Address
from apps.org.models.group import Department, Enterprise, Group, InvoiceTitle, OrganisationChange
from apps.org.models.limit import PurchaseLimit

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
