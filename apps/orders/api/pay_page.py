"""The page of the demo gateway (/pay/demo/<no>) and the endpoint for gateway notifications.
Server-rendered, plain forms, no script.
"""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import path
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods, require_POST

from apps.common.errors import DomainError
from apps.orders.enums import PaymentStatus
from apps.orders.errors import PaymentNotFound
from apps.orders.gateways import DemoGateway, get_gateway
from apps.orders.models import Payment
from apps.orders.selectors.payments import get_payment
from apps.orders.services.payments import payment_notification_apply

OUTCOMES = ("success", "failure")


@never_cache
@csrf_protect
@require_http_methods(["GET", "POST"])
def demo_page(request: HttpRequest, payment_no: str) -> HttpResponse:
    """Show the payment. A POST does the same as a real gateway: it sends the notification, then
    redirects the buyer back.
    """
    try:
        get_gateway(DemoGateway.name)  # raises PaymentNotFound outside demo mode
        payment = get_payment(payment_no=payment_no)
        if request.method != "POST":
            return _render_page(request, payment)
        return _notify(request, payment)
    except PaymentNotFound as error:
        return _render_page(request, None, str(error), status=404)
    except DomainError as error:
        return _render_page(request, None, error.text, status=400)


def _notify(request: HttpRequest, payment: Payment) -> HttpResponse:
    result = request.POST.get("result")
    if result not in OUTCOMES:
        return _render_page(request, payment, "请选择支付结果", status=400)
    fields = DemoGateway().build_notification(
        payment_no=payment.payment_no, amount=payment.amount, is_success=result == "success"
    )
    payment_notification_apply(gateway=DemoGateway.name, fields=fields)
    return HttpResponseRedirect(f"/userCenter/order/detail?OrderNo={payment.order.order_no}")


def _render_page(
    request: HttpRequest, payment: Payment | None, message: str = "", status: int = 200
) -> HttpResponse:
    is_open = payment is not None and payment.status in (
        PaymentStatus.PENDING,
        PaymentStatus.FAILED,
    )
    return render(
        request,
        "pay/demo.html",
        {"payment": payment, "is_open": is_open, "message": message},
        status=status,
    )


@csrf_exempt
@require_POST
def receive_notification(request: HttpRequest, gateway: str) -> HttpResponse:
    """Process a signed notification of a gateway. The response "success" tells the gateway to
    stop retrying.
    """
    try:
        payment_notification_apply(
            gateway=gateway, fields={name: str(value) for name, value in request.POST.items()}
        )
    except DomainError as error:
        return HttpResponse(error.text, status=400, content_type="text/plain; charset=utf-8")
    return HttpResponse("success", content_type="text/plain")


urlpatterns = [
    path("demo/<slug:payment_no>", demo_page, name="pay-demo"),
    path("notify/<slug:gateway>", receive_notification, name="pay-notify"),
]
