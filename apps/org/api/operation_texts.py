"""Texts of /api/docs for this app's operations, by group and address: a summary and notes."""

from __future__ import annotations

from apps.common.api.docs import Examples, Words

OPERATION_TEXTS: Words = {
    "工作台": {
        "POST /api/ManageService/EnterpriseGroupSet": ("查询集团名称与标志", "未登录时内容为空。"),
    },
    "收货地址": {
        "GET /api/Address": (
            "查询收货地址列表",
            "包括本人的地址，以及部门、企业、集团共用的地址。",
        ),
        "POST /api/Address": (
            "新增收货地址",
            "新增共用地址需要菜单权限“收货地址”，且在数据范围之内；本人地址最多 50 个。",
        ),
        "GET /api/Address/{Id}": ("查询收货地址详情", ""),
        "PATCH /api/Address/{Id}": (
            "修改收货地址",
            "共用地址只有管理者能修改；地址的归属不能改变。",
        ),
        "DELETE /api/Address/{Id}": ("删除收货地址", "地址停止使用；已有订单保留下单时的地址。"),
        "POST /api/Address/Parse": (
            "识别收货地址文字",
            "从一段文字中识别收货人、电话与地区，不写入数据。",
        ),
        "GET /api/Address/Region": ("查询行政区划", ""),
        "GET /api/Address/Template": ("下载收货地址导入模板", ""),
        "POST /api/Address/Import": (
            "导入收货地址",
            (
                "默认只检查，Confirm 为 true 时写入；"
                "任一行有误则全部不写入（`GoodOnly` 为 true 时写入其余行）。每次最多 1,000 行，"
                "权限与逐条新增相同。"
                "同一表格正在写入时再次确认，立即答复进度：`Imported` 小于 `Total`。"
            ),
        ),
        "POST /api/Address/Export": (
            "导出收货地址",
            "按列表的筛选条件导出，最多 1,000 行，列与导入模板一致。",
        ),
    },
    "集团与企业": {
        "GET /api/Group": ("查询本集团", "只有一行，即本人所属的集团。"),
        "GET /api/Group/{Id}": ("查询集团设置", ""),
        "PATCH /api/Group/{Id}": (
            "修改集团设置",
            "需要全集团的数据范围。修改 `RequiresSecondFactor` 须提供本人的登录密码，"
            "开启了两步验证的账号另须验证码或通行密钥；本人未开启两步验证时不能要求全集团使用。",
        ),
        "GET /api/Group/{Id}/SecondFactorGap": (
            "查询未设置两步验证的人数",
            "只计启用的账号；需要全集团的数据范围。",
        ),
        "POST /api/Group/{Id}/Logo": (
            "上传集团标志",
            "PNG、JPEG 或 WebP，最大 2MB；需要全集团的数据范围。",
        ),
        "DELETE /api/Group/{Id}/Logo": ("移除集团标志", "需要全集团的数据范围。"),
        "GET /api/Enterprise": (
            "查询可选企业",
            "供选择用，只含启用的企业；数据范围为全集团时返回全部，否则返回本企业。",
        ),
        "GET /api/Enterprise/Managed": (
            "查询管理的企业列表",
            "含已停用的企业，以及启用的账号数与部门数。",
        ),
        "POST /api/Enterprise": (
            "新增企业",
            "需要全集团的数据范围；新企业没有信用额度，由商城授予。",
        ),
        "GET /api/Enterprise/{Id}": ("查询企业详情", ""),
        "PATCH /api/Enterprise/{Id}": (
            "修改企业",
            "停用后人员与历史保留，但不能再下单；最后一家启用的企业不能停用。",
        ),
        "DELETE /api/Enterprise/{Id}": (
            "删除企业",
            "只能删除没有任何人员、部门与单据的企业，其余只能停用。",
        ),
        "GET /api/Change": (
            "查询变更记录",
            "谁在何时改了什么，最近的在前；每类对象按各自的菜单权限与数据范围可见。",
        ),
    },
    "部门": {
        "GET /api/Department": ("查询可选部门", "供选择用，只含启用的部门，每行注明上级。"),
        "GET /api/Department/Tree": (
            "查询部门树",
            "一次返回数据范围内的全部部门，含已停用的，以及所属企业。",
        ),
        "POST /api/Department": ("新增部门", "排在同级最后；没有 ParentId 时为企业的一级部门。"),
        "GET /api/Department/{Id}": ("查询部门详情", ""),
        "PATCH /api/Department/{Id}": (
            "修改部门",
            "上级不在此修改，请用移动；上级已停用时不能启用。",
        ),
        "DELETE /api/Department/{Id}": (
            "删除部门",
            "只能删除从未有过人员与单据的部门，其余请停用或合并。",
        ),
        "POST /api/Department/{Id}/Disable": (
            "停用部门",
            "部门不为空时须指定接收部门，内容按合并部门的规则先行移交。",
        ),
        "POST /api/Department/{Id}/Merge": (
            "合并部门",
            (
                "人员、下级部门、地址、预算与审批规则移交目标部门，本部门停用；在途的订单、"
                "询价与审批保留原部门名称。除集团管理员外，不能合并本人所在的部门及其各级上级。"
            ),
        ),
        "POST /api/Department/{Id}/Move": (
            "移动部门",
            (
                "可移到同一企业的另一上级之下，并指定排序位置。"
                "除集团管理员外，不能更改本人所在部门及其各级上级的上级部门。"
            ),
        ),
        "GET /api/Department/People": (
            "查询可任负责人的人员",
            "按姓名、账号或手机查找，返回前 20 位启用的人员。",
        ),
        "GET /api/Department/Template": ("下载部门导入模板", ""),
        "POST /api/Department/Import": (
            "导入部门",
            (
                "默认只检查，Confirm 为 true 时写入；"
                "任一行有误则全部不写入（`GoodOnly` 为 true 时写入其余行）。每次最多 2,000 行，"
                "须管理整个企业；除集团管理员外，不能更改本人所在部门及其各级上级的上级部门。"
                "同一表格正在写入时再次确认，立即答复进度：`Imported` 小于 `Total`。"
            ),
        ),
        "GET /api/Department/Export": ("导出部门", "只含启用的部门，列与导入模板一致。"),
    },
    "账号": {
        "GET /api/Account/{Id}/Limits": (
            "查询账号的采购限额",
            "本人的限额，以及连同角色限额在内、对其订单生效的限额。",
        ),
        "PUT /api/Account/{Id}/Limits": (
            "设置账号的采购限额",
            "整体替换；同一周期、同一类目的账号限额取代角色限额。仅集团管理员可设置。",
        ),
    },
    "角色": {
        "GET /api/Role": ("查询角色列表", "附启用与停用的持有人数；可按编码与名称查找。"),
        "POST /api/Role": (
            "新增角色",
            "不能授予本人没有的菜单权限与数据范围；每个集团最多 200 个。",
        ),
        "GET /api/Role/{Id}": ("查询角色详情", ""),
        "PATCH /api/Role/{Id}": ("修改角色", "须提交整个角色；持有人的下一次请求即按新权限判断。"),
        "DELETE /api/Role/{Id}": ("删除角色", "只能删除无人持有、也没有审批规则引用的角色。"),
        "POST /api/Role/{Id}/Copy": ("复制角色", "新角色授予同样的权限。"),
        "GET /api/Role/{Id}/Accounts": ("查询角色的持有人", "限本人在角色管理中的数据范围。"),
        "GET /api/Role/MenuTree": ("查询菜单权限树", ""),
    },
}

PARAMETER_TEXTS = {
    "AccountId": "账号编号，其本人已有的内容一并计入",
    "City": "市",
    "CostCenter": "成本中心",
    "Department": "部门",
    "DepartmentId": "部门编号",
    "District": "区县",
    "EnterpriseId": "企业编号",
    "Managed": "是否只返回本人可以修改的",
    "OwnerType": "归属：本人、部门、企业或集团",
    "Province": "省",
    "RoleIds": "角色编号",
    "SubjectId": "对象的编号",
    "SubjectType": "对象的种类",
}

EXAMPLES = Examples(
    values={
        "CategoryName": "办公用纸",
        "CostCenter": "CC-1001",
        "UserName": "buyer",
        "NickName": "林晓雨",
        "FullName": "林晓雨",
        "Mobile": "13800000000",
        "Phone": "021-00000000",
        "Email": "buyer@example.com",
        "JobTitle": "采购专员",
        "Requester": "林晓雨",
        "Receiver": "林晓雨",
        "By": "周建国",
        "Owner": "林晓雨",
        "Head": "周建国",
        "HeadName": "周建国",
        "UserType": "NU",
        "Group": "星澜示例制造集团",
        "GroupName": "星澜示例制造集团",
        "Enterprise": "星澜示例精工有限公司",
        "EnterpriseName": "星澜示例精工有限公司",
        "EnterpriseCode": "XLJG",
        "ShortName": "星澜精工",
        "Industry": "机械制造",
        "Department": "行政部",
        "DepartmentName": "行政部",
        "DepartmentCode": "ADM",
        "ParentCode": "HQ",
        "OwnerType": "department",
        "UsableBy": "行政部及下级部门",
        "CreditCode": "91310000000000000U",
        "TaxNumber": "91310000000000000U",
        "InvoiceTitle": "星澜示例精工有限公司",
        "Bank": "示例银行上海分行",
        "BankAccount": "6200000000000000001",
        "Province": "上海市",
        "City": "上海市",
        "District": "浦东新区",
        "Town": "张江镇",
        "Street": "示例路 1 号",
        "Address": "上海市浦东新区示例路 1 号",
        "PostalCode": "200000",
        "Scope": "own",
        "ScopeText": "本人",
        "DataScopeText": "仅本人",
        "PurchasingText": "下单",
        "FullText": "请尽快发货",
        "Label": "办公室",
        "SubjectName": "订单 SO26030512345678",
        "Logo": "/media/logos/1024.webp",
        "CustomerLogo": "/media/logos/1024.webp",
    },
    items={
        "MenuCodes": "order.list",
        "Departments": "行政部",
        "RoleIds": 1024,
        "Names": "周建国",
        "PaymentKinds": "credit",
        "InvoiceKinds": "e_normal",
        "Role": "采购员",
    },
    objects={
        "Address": {
            "Receiver": "林晓雨",
            "Mobile": "13800000000",
            "Province": "上海市",
            "City": "上海市",
            "District": "浦东新区",
            "Street": "示例路 1 号",
        },
        "Contact": {"Receiver": "林晓雨", "Mobile": "13800000000"},
        "InvoiceTitle": {"Title": "星澜示例精工有限公司", "TaxNumber": "91310000000000000U"},
    },
    components={
        "Role": {"Name": "采购员", "Code": "R01", "Text": "采购员"},
        "Department": {"Name": "行政部", "Code": "ADM"},
        "Enterprise": {"Name": "星澜示例精工有限公司", "Code": "XLJG"},
        "Group": {"Name": "星澜示例制造集团", "Code": "XL"},
    },
)
