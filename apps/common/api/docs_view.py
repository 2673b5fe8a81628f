"""/api/docs: the Swagger page of the schema."""

from __future__ import annotations

from drf_spectacular.views import SpectacularSwaggerSplitView
from rest_framework.response import Response

from apps.common.api.renderers import EnvelopeRenderer


class DocsView(SpectacularSwaggerSplitView):
    """The Swagger page in the mall's style and in Chinese. Its template cannot show an error,
    so errors are answered in the JSON envelope.
    """

    template_name = "docs/page.html"
    template_name_js = "docs/page.js"

    def handle_exception(self, exc: Exception) -> Response:
        self.request.accepted_renderer, self.request.accepted_media_type = (
            EnvelopeRenderer(),
            EnvelopeRenderer.media_type,
        )
        return super().handle_exception(exc)
