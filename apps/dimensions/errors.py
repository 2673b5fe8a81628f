"""The refusals of accounting dimensions, with their messages."""

from apps.common.errors import DomainError, FieldRefused, FileRefused, NotFound, ValidationFailed


class DimensionNotFound(NotFound):
    message = "该核算项不存在，或不属于贵集团"


class DimensionRefused(DomainError):
    code = "dimension_refused"
    message = "所选核算项不可用，请重新选择"


class DimensionSheetEmpty(FileRefused):
    message = "表格里没有核算项，请填写后重试"


class KindUnchangeable(FieldRefused):
    field = "Kind"
    message = "类别不能修改，请停用后按新类别新增"


class OwnerUnavailable(FieldRefused):
    field = "OwnerId"
    message = "负责人不存在或已停用，请重新选择"


class DepartmentsUnavailable(ValidationFailed):
    """A named department is missing or disabled. `field` is the wire key of the departments."""

    def __init__(self, field: str) -> None:
        super().__init__({field: ["部门不存在或已停用，请重新选择"]})
