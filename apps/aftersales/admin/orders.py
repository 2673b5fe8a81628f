"""修改订单 on the order page: lower quantities, remove lines, choose another address."""

from __future__ import annotations

from typing import Any, ClassVar

from django import forms
from django.contrib import admin
from django.http import HttpRequest
from unfold.widgets import (
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
)

from apps.aftersales.selectors.order_edit import (
    EDITABLE,
    OrderEditForm,
    compute_order_digest,
    list_edit_addresses,
)
from apps.aftersales.services.controlled_acts import EDIT_ORDER, build_order_edit_parameters
from apps.common.tenancy import tenant_scope
from apps.dual_control.services.proposals import Outcome, act_submit
from apps.office.acts import DocumentAct
from apps.orders.admin.orders import OrderAdmin, describe_missing_payment
from apps.orders.models import Order, OrderLine
from apps.org.models import Account, Address

MAX_ADDRESSES = 500
ADDRESS_HELP = (
    "列出下单人可用的收货地址；没有合适的，可在“收货地址”中为客户新增。修改地址不改变运费"
)


class EditForm(forms.Form):
    """A quantity for each line, an address of the customer, and the reason."""

    reason = forms.CharField(
        label="修改原因（客户可见）",
        max_length=200,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 3}),
    )
    # The digest of the order when the page was opened. It detects a colleague's change.
    seen = forms.CharField(required=False, widget=forms.HiddenInput())

    def __init__(
        self,
        *args: Any,
        lines: list[OrderLine],
        addresses: list[Address],
        seen: str,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.initial["seen"] = seen
        choices = [(address.pk, _format_address(address)) for address in addresses]
        self.fields["address"] = forms.TypedChoiceField(
            label="收货地址",
            choices=[("", "不修改"), *choices],
            coerce=int,
            empty_value=None,
            required=False,
            widget=UnfoldAdminSelectWidget(),
            help_text=ADDRESS_HELP,
        )
        self.open_lines = [line for line in lines if line.quantity]
        for line in self.open_lines:
            self.fields[f"line_{line.pk}"] = forms.IntegerField(
                label=f"{line.name} 新数量",
                min_value=0,
                initial=line.quantity,
                # The service checks the upper bound, after it has found a stale page.
                widget=UnfoldAdminIntegerFieldWidget(
                    attrs={
                        "inputmode": "numeric",
                        "aria-label": f"{line.name} 新数量",
                        "max": line.quantity,
                    }
                ),
            )

    @property
    def rows(self) -> list[tuple[OrderLine, Any]]:
        """Return each line with its field."""
        return [(line, self[f"line_{line.pk}"]) for line in self.open_lines]

    @property
    def edit(self) -> OrderEditForm:
        """Return the cleaned form for the service."""
        filled = self.cleaned_data
        return OrderEditForm(
            quantities={line.pk: filled[f"line_{line.pk}"] for line in self.open_lines},
            address_id=filled["address"],
            reason=filled["reason"],
            seen=filled["seen"],
        )


def _format_address(address: Address) -> str:
    label = f"（{address.label}）" if address.label else ""
    return f"{address.receiver} {address.mobile} {address.full_text}{label}"


def _build_edit_form(request: HttpRequest, order: Order) -> EditForm:
    with tenant_scope(group_id=order.group_id):
        return EditForm(
            request.POST or None,
            lines=list(order.lines.order_by("no")),
            addresses=list(list_edit_addresses(order=order)[:MAX_ADDRESSES]),
            seen=compute_order_digest(order),
        )


def _edit_submit(*, actor: Account, order_id: int, form: OrderEditForm) -> Outcome:
    """Edit the order, or propose it to a second person if it is above the limit of `actor`."""
    parameters = build_order_edit_parameters(order_id=order_id, form=form)
    return act_submit(actor=actor, kind=EDIT_ORDER, parameters=parameters)


EDIT = DocumentAct(
    path="edit",
    title="修改订单",
    icon="edit",
    service=_edit_submit,
    form=_build_edit_form,
    arguments=lambda form: {"form": form.edit},
    notice=describe_missing_payment,
    template="admin/orders/edit.html",
)

admin.site.unregister(Order)


@admin.register(Order)
class EditableOrderAdmin(OrderAdmin):
    """Replaces the order page of `orders`, which knows no cancellations."""

    allowed_in: ClassVar[dict[str, tuple[str, ...]]] = {**OrderAdmin.allowed_in, "edit": EDITABLE}
    acts: ClassVar[tuple[DocumentAct, ...]] = (*OrderAdmin.acts, EDIT)
