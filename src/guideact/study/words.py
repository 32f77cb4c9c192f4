"""A study's words in English, which are also the keys, and in Chinese."""

from __future__ import annotations

LANGUAGES = {"en": "English", "zh": "中文"}

CHINESE = {
    "Study": "研究",
    "Task {n} of {m}": "第 {n} 个任务，共 {m} 个",
    "Participant {n}": "参与者 {n}",
    "Withdraw from the study": "退出研究",
    "All your records are deleted at once. This cannot be undone, and you cannot enter again.": (
        "您的所有记录将立即删除。此操作无法撤销，之后也不能再次进入。"
    ),
    "Withdraw and delete my records": "退出研究并删除我的记录",
    "Pause: go on later with the code": "暂停：稍后凭代码继续",
    "Welcome": "欢迎",
    "Your code": "您的代码",
    "Enter": "进入",
    "You were given the code by whoever runs the study.": "代码由研究人员提供给您。",
    "There is no such code. Look at it again: it has ten letters and digits.": (
        "没有这个代码，请再核对一下：它由十个字母和数字组成。"
    ),
    "I have read this, I am of full age, and I agree to take part.": "我已阅读以上内容，已成年，并同意参加。",
    "I do not agree": "我不同意",
    "Go on": "继续",
    "You are shown what to do, and the website opens in a tab of its own.": (
        "页面会告诉您要做什么，网站会在单独的标签页中打开。"
    ),
    "The time runs from the moment when you begin. Rest now if you like.": "点击开始后开始计时。现在可以先休息一下。",
    "Begin": "开始",
    "What is wanted": "任务要求",
    "Open the website, do there what this page says, then come back and say that you are done. You have {n} minutes.": (
        "打开网站，按照本页的说明操作，然后回到这里点击“我完成了”。您有 {n} 分钟时间。"
    ),
    "Open the website": "打开网站",
    "It opens in a tab of its own. On a wide screen, put the two side by side.": (
        "网站会在单独的标签页中打开。如果屏幕较宽，可以将两个窗口并排放置。"
    ),
    "The guide": "操作指南",
    "Enter or choose:": "输入或选择：",
    "I am done": "我完成了",
    "I give up": "我放弃",
    "The task ends here, and the next one follows.": "本任务到此结束，接着进入下一个任务。",
    "Give up this task": "放弃这个任务",
    "The last questions": "最后的问题",
    "After task {n}": "第 {n} 个任务之后",
    "The time for this task is up.": "本任务的时间已到。",
    "Please answer the marked questions too.": "请同时回答标出的问题。",
    "Please choose": "请选择",
    "At none": "没有遇到困难",
    "Thank you": "谢谢您",
    "That was all. You can close this page.": "全部结束了，您可以关闭此页面。",
    "Some of the guides were changed on purpose, and some tasks could not be done by following them. "
    "The study tests guides, not you.": (
        "有些指南是特意修改过的，有些任务仅按指南无法完成。研究测试的是指南，而不是您。"
    ),
    "You have withdrawn": "您已退出研究",
    "All your records are deleted. Thank you for your time.": "您的所有记录已删除。感谢您的时间。",
    "To the start": "回到首页",
    "That cannot be.": "请求无效。",
    "The form is out of date. Go to the start and try again.": "表单已过期。请回到首页重试。",
    "There is no such page.": "没有这个页面。",
    "That is too much at once.": "一次提交的内容太多。",
    "Something went wrong.": "出错了。",
}


def translate(language: str, text: str, **values: object) -> str:
    """`text` in a language, with its {places} filled in. English words are their own keys."""
    found = CHINESE.get(text, text) if language == "zh" else text
    return found.format(**values) if values else found
