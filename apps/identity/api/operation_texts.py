"""Texts of /api/docs for this app's operations, by group and address: a summary and notes."""

from __future__ import annotations

from apps.common.api.docs import Examples, Words

OPERATION_TEXTS: Words = {
    "登录与令牌": {
        "POST /api/Account/Login": (
            "登录并取得令牌",
            "访问令牌 10 分钟有效，刷新令牌 30 天有效；账号不存在与密码错误的应答相同。"
            "陌生设备与地址 15 分钟内失败 5 "
            "次后须带 CaptchaVerifyParam（`captcha_required`），"
            "失败 20 次后无论是否通过验证都须按 `Retry-After` 等待（429）；"
            "以前登录过的浏览器与地址分开计数，不受他人失败的影响。"
            "密码正确而账号有两步验证时答 `second_factor_required`："
            "请附上 `SecondFactorCode` 或 `Passkey`（对 `MsgBody.Passkey` 的应答）重新提交；"
            "同一验证码只能使用一次。",
        ),
        "POST /api/Account/RefreshToken": (
            "刷新令牌",
            (
                "刷新令牌每次使用后更换，请保存应答中的新令牌。旧令牌在 20 秒后再次使用，"
                "整个登录会被作废。"
            ),
        ),
        "POST /api/Account/Logout": (
            "退出登录",
            "作废该刷新令牌所属的整个登录；令牌无法识别时同样答复成功。",
        ),
        "GET /api/Account/LoginBySession": (
            "用会话密钥登录",
            (
                "会话密钥只能使用一次，默认 5 分钟内有效；"
                "由运营人员代客户登录或单点登录的合作系统签发。"
            ),
        ),
        "GET /api/Account/Captcha": (
            "获取滑动验证",
            "返回背景图与拼图；缺口的横向位置只保存在服务器。",
        ),
        "POST /api/Account/UnLock": (
            "通过滑动验证解除限流",
            "解除一项访问限制：`Guid` 取自 429 应答，省略时为最近发生的一项。"
            "同一项限制每小时最多解除 3 次，"
            "之后请按 `Retry-After` 等待；验证码与滑动验证自身的限制不能解除。"
            "每道验证只能作答一次。",
        ),
        "POST /api/Account/SendResetCode": (
            "发送重置密码验证码",
            (
                "验证码发送到账号的邮箱；账号是否存在，应答都相同。60 秒内只发送一次，每小时最多 "
                "5 次。"
            ),
        ),
        "POST /api/Account/CheckResetCode": ("校验重置密码验证码", "只校验，不消耗验证码。"),
        "POST /api/Account/ResetPassword": (
            "用验证码重置密码",
            "设置新密码并结束该账号的全部登录；新密码不合要求时验证码仍然有效。",
        ),
        "POST /api/Account/WeChatWorkBegin": ("发起企业微信登录", "返回企业微信的授权地址。"),
        "GET /api/Account/WeChatWorkAuth": (
            "完成企业微信登录",
            (
                "用企业微信带回的 code 与 state 登录；成员尚未绑定账号时答复 "
                "`wechat_work_unbound`，10 分钟内可以绑定。"
            ),
        ),
        "POST /api/Account/WeChatWorkBind": (
            "绑定企业微信成员",
            "用账号密码绑定刚从企业微信返回的成员并登录；失败次数的限制与登录相同。",
        ),
        "GET /api/Account/JumpOldLink": (
            "获取旧版商城地址",
            "已登录时地址附带一次性票据；运营人员代客户登录期间不附票据。",
        ),
    },
    "个人中心": {
        "GET /api/Account/Profile": ("查询个人资料", ""),
        "PATCH /api/Account/Profile": (
            "修改个人资料",
            "可修改昵称、姓名、职务与头像；手机与邮箱须凭验证码更换。",
        ),
        "POST /api/Account/ChangePassword": (
            "修改密码",
            "须提供原密码，新密码不能与最近 5 次相同；其他设备上的登录随即结束。",
        ),
        "POST /api/Account/SendContactCode": (
            "发送更换手机或邮箱验证码",
            (
                "`To` 为 `new` 时验证新的手机或邮箱，为 `old` 时发送到当前邮箱，用于验证本人身份。"
                "每种 60 秒内只发送一次，每小时最多 5 次。"
            ),
        ),
        "POST /api/Account/ChangeContact": (
            "更换手机或邮箱",
            "凭更换验证码设置新的手机或邮箱；另须以 `Password`（登录密码）或 "
            "`ProofCode`（发送到当前邮箱的验证码）证明是本人，"
            "`Code` 本身发送到当前邮箱时除外。密码 15 分钟内最多错 5 次。更换后通知原邮箱，"
            "并附 72 小时内有效的撤销链接。",
        ),
        "POST /api/Account/CheckContactUndo": (
            "查看联系方式的撤销链接",
            "说明邮件中的链接撤销哪一次更换，不作任何改动；无需登录。",
        ),
        "POST /api/Account/UndoContact": (
            "撤销更换手机或邮箱",
            (
                "恢复更换前的手机或邮箱，结束该账号的全部登录，解除更换之后绑定的企业微信，"
                "并作废未使用的验证码；无需登录。"
                "链接 72 小时内有效，只能使用一次。"
            ),
        ),
        "GET /api/Account/Session": (
            "查询登录设备",
            "本人仍有效的登录，最近使用的在前；包括运营人员代客户的登录。",
        ),
        "POST /api/Account/Session/SignOut": (
            "结束登录设备",
            "结束指定的一个登录，或当前登录以外的全部登录；其令牌立即失效。",
        ),
        "GET /api/Account/SecondFactor": (
            "查询本人的两步验证",
            "是否开启、集团是否要求、验证器与通行密钥、剩余恢复码与免验证浏览器的数量。",
        ),
        "POST /api/Account/SecondFactor/Begin": (
            "开始设置验证器",
            "须提交本人的登录密码，已开启两步验证的须提交验证码或通行密钥；"
            "返回验证器的密钥与二维码，输入第一个验证码后才生效。",
        ),
        "POST /api/Account/SecondFactor/Confirm": (
            "启用验证器",
            "验证码正确即启用；首次开启两步验证时返回 10 个恢复码，只显示这一次，"
            "其他设备须重新登录。",
        ),
        "POST /api/Account/SecondFactor/RenewCodes": (
            "更换恢复码",
            "须提交验证码或通行密钥；以前的恢复码全部失效。",
        ),
        "POST /api/Account/SecondFactor/ForgetDevices": (
            "取消所有浏览器的免验证",
            "须提交验证码或通行密钥；下次登录都要两步验证。",
        ),
        "POST /api/Account/SecondFactor/Remove": (
            "关闭两步验证",
            "须提交验证码或通行密钥；验证器与通行密钥全部移除。集团要求两步验证时不能关闭。",
        ),
        "POST /api/Account/SecondFactor/RemoveAuthenticator": (
            "移除验证器",
            "须提交验证码或通行密钥；集团要求两步验证时不能移除最后一种验证方式。",
        ),
        "POST /api/Account/SecondFactor/PasskeyChallenge": (
            "获取通行密钥的验证请求",
            "返回 `PublicKeyCredentialRequestOptionsJSON`，"
            "5 分钟内、在本次登录中使用一次；没有通行密钥时为 `null`。",
        ),
        "POST /api/Account/SecondFactor/PasskeyBegin": (
            "开始添加通行密钥",
            "须提交本人的登录密码，已开启两步验证的须提交验证码或通行密钥；"
            "返回 `PublicKeyCredentialCreationOptionsJSON`，"
            "5 分钟内、在本次登录中使用一次。",
        ),
        "POST /api/Account/SecondFactor/PasskeyAdd": (
            "添加通行密钥",
            "最多 10 个；首次开启两步验证时返回 10 个恢复码，只显示这一次，其他设备须重新登录。",
        ),
        "POST /api/Account/SecondFactor/PasskeyRemove": (
            "移除通行密钥",
            "须提交验证码或通行密钥；集团要求两步验证时不能移除最后一种验证方式。",
        ),
        "POST /api/Account/GetUserMenuList": (
            "查询本人菜单代码",
            "集团管理员得到全部代码，其他账号得到其角色授予的代码及所属分组的代码。",
        ),
        "GET /api/Account/MenuRight": (
            "查询菜单权限由谁授予",
            "没有某项权限时，说明该权限的名称与可以联系的管理员。",
        ),
    },
    "账号": {
        "GET /api/Account": ("查询账号列表", "返回数据范围内的账号，新建的在前。"),
        "POST /api/Account": (
            "新增账号",
            "选择了通知方式时向账号本人发送设置密码的邀请。账号名在整个平台唯一，"
            "其他内容都正确时才说明是否重复；"
            "一天内与其他客户重复 20 次后，暂不能新增账号。"
            "`Invite` 为 `code` 或新增集团管理员时须提交本人的登录密码 `Password`。",
        ),
        "GET /api/Account/{Id}": ("查询账号详情", ""),
        "PATCH /api/Account/{Id}": (
            "修改账号",
            "不能授予超出本人权限的角色，也不能使集团失去最后一位管理员；"
            "自己的手机与邮箱须在个人中心更换。修改他人的手机或邮箱会通知其原邮箱。"
            "修改他人的手机或邮箱、设为集团管理员时须提交本人的登录密码 `Password`。",
        ),
        "POST /api/Account/{Id}/Enable": (
            "启用账号",
            "本人以原密码登录，购物车仍在；所属部门已停用时不能启用。",
        ),
        "POST /api/Account/{Id}/Invite": (
            "重新邀请账号",
            "只用于尚未设置密码的账号；此前的邀请随即失效，1 分钟内只能发送一次。"
            "`Channel` 为 `code` 时须提交本人的登录密码 `Password`。",
        ),
        "POST /api/Account/{Id}/ResetPassword": (
            "重置他人密码",
            "原密码作废，全部登录结束，并给出重新设置密码的途径；不能用于本人。"
            "`Channel` 为 `code` 时须提交本人的登录密码 `Password`。",
        ),
        "GET /api/Account/Template": ("下载账号导入模板", ""),
        "POST /api/Account/Import": (
            "导入账号",
            "默认只检查并逐行列出问题；`Confirm` 为 true 时写入，须提交本人的登录密码 `Password`，"
            "已开启两步验证的另须验证码或通行密钥；"
            "任一行有误则全部不写入（`GoodOnly` 为 true 时写入其余行）。"
            "每次最多 5,000 行，账号名重复的次数与新增账号一并计算。"
            "同一表格正在写入时再次确认，立即答复进度：`Imported` 小于 `Total`。",
        ),
        "POST /api/Account/Export": (
            "导出账号",
            "按列表的筛选条件导出，列与导入模板一致，改后可以再导入。",
        ),
    },
}

PARAMETER_TEXTS = {
    "AdminLogin": "同 adminLogin",
    "MenuRight.Code": "菜单代码",
    "SessionKey": "同 sessionKey",
    "adminLogin": "是否由运营人员代客户登录",
    "code": "企业微信带回的授权码",
    "sessionKey": "会话密钥",
    "state": "企业微信带回的 state",
    "tag": "版本标记，原样传给旧版商城",
}

EXAMPLES = Examples(
    values={
        "SecondFactorCode": "482913",
        "RecoveryCodes": "7fkq2-mzp8d",
        "CredentialId": "mZ3qCw0bD7uVt1kQ",
        "ClientData": "eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0",
        "AuthenticatorData": "SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAQ",
        "Signature": "MEUCIQDKx5fW",
        "AttestationObject": "o2NmbXRkbm9uZQ",
        "PublicKey": {"challenge": "cGFzc2tleS1jaGFsbGVuZ2U", "rpId": "mall.example.com"},
        "PasskeyOrigins": "https://mall.example.com",
        "RecoveryCodesLeft": 10,
        "RememberedDevices": 1,
        "Uri": "otpauth://totp/MALL:buyer?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=MALL",
        "Qr": "data:image/svg+xml,…",
        "Password": "demo-Mall-2026",
        "NewPassword": "Summer-Desk-2026",
        "OldPassword": "demo-Mall-2026",
        "OldValue": "buyer@example.com",
        "NewValue": "lin.xiaoyu@example.com",
        "WeChatWorkMembers": "linxiaoyu",
        "UserTypeText": "普通账号",
        "Roles": "采购员",
        "ClientAddress": "203.0.113.9",
        "UserAgent": "Mozilla/5.0 (Windows NT 10.0; Win64; x64)",
        "Device": "Windows · Chrome",
        "Channel": "mail",
        "Background": "集团年度集采",
        "Avatar": "/media/avatars/1024.webp",
        "ReturnUrl": "/userCenter/index",
        "Redirect": "",
        "Token": "eyJhbGciOiJIUzI1NiJ9.eyJ1aWQiOiIxMDI0In0.c2lnbmF0dXJl",
        "RefreshToken": "b8f0c1d2e3a4958677889900aabbccdd",
    },
    items={
        "GrantedBy": "采购员",
    },
)
