"""Public pictures (products, logos, banners) from disk or S3. Private files have signed addresses
in the API.
"""

from __future__ import annotations

import mimetypes
import posixpath

from django.core.files.storage import default_storage
from django.http import FileResponse, Http404, HttpRequest, HttpResponseBase
from django.views.decorators.http import require_safe

from apps.common.files.images import find_original

PUBLIC_FOLDERS = ("products/", "logos/", "content/")
# Errors of the storages for a path without a file, also for a path below a file.
NO_SUCH_FILE = (FileNotFoundError, IsADirectoryError, NotADirectoryError, FileExistsError)
DAY = 86_400
MINUTE = 60


@require_safe
def public_picture(_request: HttpRequest, path: str) -> HttpResponseBase:
    """Return the bytes of a picture in a public folder, or the original for a width that does not
    exist yet. SVG answers carry a policy that forbids scripts.

    Raises:
        Http404: the file does not exist or is not in a public folder.
    """
    if posixpath.normpath(path) != path or not path.startswith(PUBLIC_FOLDERS):
        raise Http404
    response, age = _open_picture(path), DAY
    if response is None and (original := find_original(path)):
        response, age = _open_picture(original), MINUTE
    if response is None:
        raise Http404
    response["Cache-Control"] = f"public, max-age={age}"
    response["Content-Security-Policy"] = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
    return response


def _open_picture(path: str) -> FileResponse | None:
    try:
        return FileResponse(
            default_storage.open(path),
            content_type=mimetypes.guess_type(path)[0] or "application/octet-stream",
        )
    except NO_SUCH_FILE:
        return None
