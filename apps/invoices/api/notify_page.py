"""/invoice-gateway/notify/<gateway>: callbacks of the e-invoice gateways."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from apps.common.errors import DomainError
from apps.invoices.services.invoice_request import invoice_notified


@csrf_exempt
@require_POST
def notified(request: HttpRequest, gateway: str) -> HttpResponse:
    """Process a signed callback. The answer "success" stops the gateway's repetitions."""
    try:
        invoice_notified(
            gateway=gateway, fields={name: str(value) for name, value in request.POST.items()}
        )
    except DomainError as error:
        return HttpResponse(error.text, status=400, content_type="text/plain; charset=utf-8")
    return HttpResponse("success", content_type="text/plain")


urlpatterns = [path("notify/<slug:gateway>", notified, name="invoice-notify")]
