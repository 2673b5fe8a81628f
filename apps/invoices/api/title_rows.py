"""Serializers of invoice titles and their 专票资质."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.common.api.serializers import BodySerializer, IdField, QuerySerializer, SeenAtField
from apps.common.files import file_url
from apps.invoices.api.fields import needed, text
from apps.org.models import InvoiceTitle


class QualificationFileSerializer(serializers.Serializer[Any]):
    FileId = serializers.CharField(source="public_id")
    Name = serializers.CharField(source="name")
    Url = serializers.SerializerMethodField()

    def get_Url(self, file: Any) -> str:
        """Return the signed URL."""
        return file_url(file, account=self.context["actor"])


class QualificationSerializer(serializers.Serializer[Any]):
    Status = serializers.CharField(source="status")
    StatusText = serializers.CharField(source="get_status_display")
    Reason = serializers.CharField(source="reason", help_text="未通过原因")
    Note = serializers.CharField(source="note")
    SubmittedAt = serializers.DateTimeField(source="created_at")
    DecidedAt = serializers.DateTimeField(source="decided_at", allow_null=True)
    Files = QualificationFileSerializer(source="files.all", many=True)


class TitleSerializer(serializers.Serializer[InvoiceTitle]):
    """An invoice title. `context["actor"]` is the reader."""

    Id = serializers.CharField(source="pk")
    EnterpriseId = serializers.CharField(source="enterprise_id")
    EnterpriseName = serializers.CharField(source="enterprise.name")
    Title = serializers.CharField(source="title")
    TaxNumber = serializers.CharField(source="tax_number")
    Address = serializers.CharField(source="address")
    Phone = serializers.CharField(source="phone")
    Bank = serializers.CharField(source="bank")
    BankAccount = serializers.CharField(source="bank_account")
    IsDefault = serializers.BooleanField(source="is_default")
    IsActive = serializers.BooleanField(source="is_active")
    HasSpecialQualification = serializers.BooleanField(source="has_special_qualification")
    Qualification = serializers.SerializerMethodField(help_text="最近一次专票资质申请")
    UpdatedAt = serializers.DateTimeField(source="updated_at")

    @extend_schema_field(QualificationSerializer(allow_null=True))
    def get_Qualification(self, title: InvoiceTitle) -> Any:
        """Return the newest 专票资质 request."""
        found = list(title.qualifications.all())[:1]
        return QualificationSerializer(found[0], context=self.context).data if found else None


class TitleQuerySerializer(QuerySerializer):
    EnterpriseId = IdField(required=False, allow_null=True, default=None)
    Keyword = text(60)
    IsActive = serializers.BooleanField(required=False, allow_null=True, default=None)


class TitleFields(serializers.Serializer[Any]):
    Title = needed(100, "抬头", source="title")
    TaxNumber = needed(20, "税号", source="tax_number")
    Address = serializers.CharField(
        source="address", max_length=200, required=False, allow_blank=True
    )
    Phone = serializers.CharField(source="phone", max_length=30, required=False, allow_blank=True)
    Bank = serializers.CharField(source="bank", max_length=100, required=False, allow_blank=True)
    BankAccount = serializers.CharField(
        source="bank_account", max_length=40, required=False, allow_blank=True
    )
    IsDefault = serializers.BooleanField(source="is_default", required=False)


class TitleBodySerializer(TitleFields, BodySerializer):
    """A new title."""

    EnterpriseId = IdField(
        required=False, allow_null=True, default=None, help_text="不填为本人所在企业"
    )


class TitleChangeSerializer(TitleFields, BodySerializer):
    """Any of the fields; `UpdatedAt` as it was read."""

    IsActive = serializers.BooleanField(source="is_active", required=False)
    UpdatedAt = SeenAtField(required=False, help_text="读取时的 UpdatedAt；他人已修改则回答 stale")


class QualificationBodySerializer(BodySerializer):
    FileIds = serializers.ListField(
        child=serializers.UUIDField(), max_length=5, help_text="1 至 5 个已上传的文件"
    )
    Note = text(300, "说明")
