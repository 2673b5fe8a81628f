"""QR codes of the mobile dropdown, served as SVG pictures of this site."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from apps.content.selectors.qr import draw_qr_svg, find_qr_target

YEAR = 365 * 86_400


@require_safe
def qr_code(_request: HttpRequest, name: str) -> HttpResponse:
    """Return the QR code as SVG. The address contains the target, so browsers may cache it.

    Raises:
        Http404: no version of the site's texts links to this target.
    """
    target = find_qr_target(name)
    if target is None:
        raise Http404
    return HttpResponse(
        draw_qr_svg(target),
        content_type="image/svg+xml",
        headers={"Cache-Control": f"public, max-age={YEAR}, immutable"},
    )
