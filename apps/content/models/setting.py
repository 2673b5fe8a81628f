"""The one row of site texts."""

from django.db import models

from apps.common.models import TimeStampedModel
from apps.content.models.address import check_lines


class SiteSetting(TimeStampedModel):
    """`updated_at` moves with every change of any content: by it a process knows whether what it keeps still holds."""

    ONLY = 1

    brand_name = models.CharField("商城名称", max_length=30, blank=True, help_text="留空时使用部署配置中的名称")
    slogan = models.CharField("标语", max_length=40, blank=True)
    copyright_line = models.CharField("版权行", max_length=120, blank=True)
    licences = models.TextField("备案与许可证号", blank=True, max_length=800, validators=[check_lines], help_text="每行一个，显示在页脚")
    business_licence = models.TextField(
        "营业执照内容", blank=True, max_length=1000, validators=[check_lines], help_text="页脚“营业执照”打开后显示；留空时不显示该入口"
    )
    service_hours = models.CharField("服务时间", max_length=40, default="工作日 9:00-18:00")
    service_phone = models.CharField("客服电话", max_length=40, blank=True)
    qr_android = models.CharField("安卓客户端二维码", max_length=120, blank=True, editable=False)
    qr_official = models.CharField("公众号二维码", max_length=120, blank=True, editable=False)
    qr_mini_program = models.CharField("小程序二维码", max_length=120, blank=True, editable=False)

    class Meta:
        verbose_name = "站点信息"
        verbose_name_plural = "站点信息"
        constraints = [models.CheckConstraint(condition=models.Q(id=1), name="sitesetting_only_one")]

    def __str__(self) -> str:
        return self.brand_name or "站点信息"
