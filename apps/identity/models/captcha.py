"""A slide puzzle that was sent to a client. The answer stays on the server."""

import uuid

from django.db import models


class Captcha(models.Model):
    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    answer_x = models.PositiveSmallIntegerField()
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = "滑动验证"
        verbose_name_plural = "滑动验证"
        indexes = [models.Index(fields=["expires_at"], name="captcha_expires_idx")]

    def __str__(self) -> str:
        return str(self.public_id)
