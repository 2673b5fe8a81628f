"""/api/docs: the page of the schema."""

from __future__ import annotations

from drf_spectacular.views import SpectacularSwaggerSplitView
from rest_framework.response import Response

from apps.common.api.renderers import EnvelopeRenderer


class DocsView(SpectacularSwaggerSplitView):
    """The Swagger page in the mall's dress and in Chinese; its template has no words for a refusal, which is enveloped as everywhere."""

    template_name = "docs/page.html"
    template_name_js = "docs/page.js"

    def handle_exception(self, exc: Exception) -> Response:
        self.request.accepted_renderer, self.request.accepted_media_type = EnvelopeRenderer(), EnvelopeRenderer.media_type
        return super().handle_exception(exc)
