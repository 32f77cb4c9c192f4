"""The studio's words in English, which are also the keys, and in Chinese."""

from __future__ import annotations

LANGUAGES = {"en": "English", "zh": "中文"}

CHINESE = {
    "Studio": "工作室",
    "Main": "主导航",
    "My work": "我的工作",
    "Settle": "裁定",
    "Progress": "进度",
    "Runs": "运行",
    "Blind audit": "盲审",
    "Sign in": "登录",
    "Sign out": "退出",
    "Name": "姓名",
    "Password": "密码",
    "Accounts are made on this machine, with: guideact studio user FOLDER NAME": (
        "账号在本机创建：guideact studio user FOLDER NAME"
    ),
    "The name or the password is wrong.": "姓名或密码不正确。",
    "Too many wrong passwords. Wait half a minute and try again.": "密码错误次数过多，请等半分钟再试。",
    "That cannot be.": "请求无效。",
    "This is not for you, or the form is out of date. Go back, reload the page and try again.": (
        "您没有权限，或者表单已过期。请返回，刷新页面后重试。"
    ),
    "There is no such page.": "没有这个页面。",
    "That is too much at once.": "一次提交的内容太多。",
    "Something went wrong.": "出错了。",
    "This cannot be shown:": "无法显示：",
    "To the start": "回到首页",
    "You read the sentence of each step as somebody who sees the page for the first time: does it say what to do, "
    "where it is, and how one knows that it worked?": (
        "请以第一次看到该页面的人的眼光阅读每一步的句子：它是否说明了要做什么、在哪里做、怎样知道已经成功？"
    ),
    "Go on": "继续",
    "{n} steps wait for your decision": "有 {n} 步等待您裁定",
    "Task": "任务",
    "Tasks": "任务",
    "Steps": "步数",
    "State": "状态",
    "finished": "已完成",
    "begun": "进行中",
    "Nothing has been given to you yet: go on, and the first task is yours. There are {n}.": (
        "还没有分配给您的任务：点“继续”，第一个任务就归您。共有 {n} 个。"
    ),
    "The page before this step, with the target lit": "这一步之前的页面，目标已高亮",
    "No picture was kept of this step.": "这一步没有保存截图。",
    "Step {n} of {m}": "第 {n} 步，共 {m} 步",
    "Step {n}": "第 {n} 步",
    "previous": "上一步",
    "next": "下一步",
    "Action": "操作",
    "Value": "值",
    "Sentence": "句子",
    "Draft:": "草稿：",
    "Accept the draft": "接受草稿",
    "Save my wording": "保存我的措辞",
    "Reject": "拒绝",
    "Why it is rejected": "拒绝的原因",
    "The action itself looks wrong": "操作本身看起来不对",
    "Note": "备注",
    "Keys: A accept, E edit the sentence, S or Ctrl+Enter save it, R reject, F flag, J next, K previous. "
    "Esc leaves a field.": (
        "按键：A 接受，E 编辑句子，S 或 Ctrl+Enter 保存，R 拒绝，F 标记操作，J 下一步，K 上一步，Esc 离开输入框。"
    ),
    "Earlier steps": "之前的步骤",
    "What was said of this step": "对这一步的意见",
    "settled": "已裁定",
    "action doubted": "操作存疑",
    "accept": "接受",
    "edit": "修改",
    "reject": "拒绝",
    "names another element": "指的是别的元素",
    "not true": "不正确",
    "not clear": "不清楚",
    "gives the answer away": "泄露了答案",
    "several things at once": "一次说了几件事",
    "other": "其他",
    "The sentence is as it was: accept it, or change it.": "句子没有改动：请接受，或者修改。",
    "The sentence is empty: reject it, or write one.": "句子是空的：请拒绝，或者写一句。",
    "The sentence gives away what a person cannot see: {what}.": "句子泄露了人看不到的内容：{what}。",
    "Say why it is rejected.": "请说明拒绝的原因。",
    "Nobody differs about anything.": "没有分歧。",
    "Step": "步骤",
    "Said": "意见",
    "of {n} steps reviewed": "步已审阅，共 {n} 步",
    "by two people or more": "步由两人以上审阅",
    "accepted / edited / rejected": "接受 / 修改 / 拒绝",
    "to settle": "待裁定",
    "Agreement": "一致性",
    "accept, edit or reject (Krippendorff's alpha)": "接受、修改或拒绝（Krippendorff α）",
    "whether the action is right (Krippendorff's alpha)": "操作是否正确（Krippendorff α）",
    "same sentence": "句子相同",
    "Over {n} steps that two people or more reviewed, in {c} tasks; intervals at 95 %, over tasks. "
    "1 is perfect, 0 is chance.": (
        "基于 {c} 个任务中由两人以上审阅的 {n} 步；95% 区间按任务计算。1 为完全一致，0 为随机。"
    ),
    "People": "人员",
    "Seconds a step": "每步秒数",
    "Person": "人员",
    "Assign": "分配",
    "Take back": "收回",
    "Assigned to": "分配给",
    "Finished by": "完成者",
    "There is no run in this folder.": "该文件夹中没有运行。",
    "Run": "运行",
    "Model": "模型",
    "Guide Tax": "指南代价",
    "Errors": "错误",
    "Compare A with B": "比较 A 与 B",
    "Intervals at 95 %, over templates of tasks.": "95% 区间按任务模板计算。",
    "Result": "结果",
    "solved": "成功",
    "failed": "失败",
    "infrastructure error": "基础设施错误",
    "attempt {n}": "第 {n} 次尝试",
    "against": "对比",
    "{n} tasks in {c} templates; A less B": "{c} 个模板中的 {n} 个任务；A 减 B",
    "Score": "分数",
    "Where they differ": "不同之处",
    "Nowhere.": "没有。",
    "Solved by": "成功的一方",
    "see A": "看 A",
    "see B": "看 B",
    "Answer": "答案",
    "What changed in the sites' data": "网站数据的变化",
    "Nothing changed in the sites' data.": "网站数据没有变化。",
    "insert": "新增",
    "update": "更新",
    "delete": "删除",
    "You see what was asked, what was done and what changed, but neither who did it nor what the check says. "
    "Was it done?": "您能看到要求、操作和变化，但看不到是谁做的，也看不到检查的结论。任务完成了吗？",
    "Judged by you": "您已判断",
    "Agrees with the check": "与检查一致",
    "Doubted": "存疑",
    "{n} cannot be told": "{n} 个无法判断",
    "passed": "通过",
    "It was done": "完成了",
    "It was not": "没有完成",
    "One cannot tell": "无法判断",
}


def translate(language: str, text: str, **values: object) -> str:
    """`text` in a language, with its {places} filled in. English words are their own keys."""
    found = CHINESE.get(text, text) if language == "zh" else text
    return found.format(**values) if values else found
