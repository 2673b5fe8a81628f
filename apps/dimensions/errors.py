"""The refusals of accounting dimensions, with their messages."""

from apps.common.errors import DomainError, NotFound


class DimensionNotFound(NotFound):
    message = "该核算项不存在，或不属于贵集团"


class DimensionRefused(DomainError):
    code = "dimension_refused"
    message = "所选核算项不可用，请重新选择"
