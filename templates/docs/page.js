{% include "drf_spectacular/swagger_ui.js" %}
// Swagger UI has no languages: its few fixed words are put into Chinese as it writes them.
const words = {
  'Authorize': '登录授权',
  'Available authorizations': '登录授权',
  'Authorized': '已授权',
  'Logout': '清除',
  'Close': '关闭',
  'Value:': '令牌：',
  'Parameters': '参数',
  'No parameters': '没有参数',
  'Request body': '请求内容',
  'Try it out': '试用',
  'Cancel': '取消',
  'Reset': '还原',
  'Execute': '发送请求',
  'Clear': '清空',
  'Responses': '应答',
  'Response body': '应答内容',
  'Response headers': '应答头',
  'Server response': '实际应答',
  'Request URL': '请求地址',
  'Curl': 'curl 命令',
  'Request duration': '耗时',
  'Code': '状态',
  'Details': '内容',
  'Name': '名称',
  'Description': '说明',
  'Links': '链接',
  'No links': '无',
  'Media type': '格式',
  'Example Value': '示例',
  'Edit Value': '编辑',
  'Schema': '字段',
  'Examples': '示例',
  'Download': '下载',
  'Default value': '默认值',
  'Available values': '可选值',
  'Add string item': '添加一项',
  'Send empty value': '发送空值',
  'Loading...': '正在加载……',
  'Undocumented': '文档之外',
  'No operations defined in spec!': '没有符合的接口',
};
const hints = { 'Filter by tag': '按分组名称筛选，例如：订单' };

const translate = (root) => {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = root.nodeType === Node.TEXT_NODE ? root : walker.nextNode(); node; node = walker.nextNode()) {
    // What stands in Markdown is ours, but for the labels of a parameter's values.
    const isOurs = node.parentElement?.matches(':not(i)') && node.parentElement.closest('.renderedMarkdown, pre, code, textarea, .opblock-summary, .model');
    const said = node.nodeValue.trim();
    if (!isOurs && Object.hasOwn(words, said)) node.nodeValue = words[said];
    if (root.nodeType === Node.TEXT_NODE) return;
  }
  for (const input of root.querySelectorAll?.('input[placeholder]') ?? []) {
    if (Object.hasOwn(hints, input.placeholder)) input.placeholder = hints[input.placeholder];
  }
};

document.documentElement.lang = 'zh-CN';
new MutationObserver((changes) => {
  for (const change of changes) {
    if (change.type === 'characterData') translate(change.target);
    for (const added of change.addedNodes) translate(added);
  }
}).observe(document.getElementById('swagger-ui'), { childList: true, subtree: true, characterData: true });
