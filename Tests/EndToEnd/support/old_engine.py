# SPDX-License-Identifier: Apache-2.0
"""Shows a page in Qt WebEngine 5.15, which is Chromium 87: the oldest browser engine that Debian still has.

    python3 old_engine.py URL

Prints the console of the page, and what it shows every second, until standard input is closed. A program of its own:
Debian's PyQt is for the system's Python.
"""

import os
import sys
import threading

os.environ.update(
    QT_QPA_PLATFORM="offscreen",
    QT_QUICK_BACKEND="software",
    QTWEBENGINE_DISABLE_SANDBOX="1",
    QTWEBENGINE_CHROMIUM_FLAGS="--disable-gpu --no-zygote",
)

from PyQt5.QtCore import QCoreApplication, Qt, QTimer, QUrl  # noqa: E402
from PyQt5.QtWebEngineWidgets import QWebEnginePage, QWebEngineView  # noqa: E402
from PyQt5.QtWidgets import QApplication  # noqa: E402

SHOWN = """navigator.userAgent.match(/Chrome\\/\\d+/)[0] + ": " +
    document.querySelector("brightness-gauge").shadowRoot.querySelector("[role=meter]").getAttribute("aria-valuetext")"""


class Page(QWebEnginePage):
    def javaScriptConsoleMessage(self, level, message, line, source):
        print(f"console: {message}", flush=True)


QCoreApplication.setAttribute(Qt.AA_UseSoftwareOpenGL)
QCoreApplication.setAttribute(Qt.AA_ShareOpenGLContexts)
application = QApplication(sys.argv)
view, page = QWebEngineView(), Page()
view.setPage(page)
view.resize(800, 600)
view.show()
view.load(QUrl(sys.argv[1]))
timer = QTimer()
timer.timeout.connect(lambda: page.runJavaScript(SHOWN, lambda text: text and print(text, flush=True)))
timer.start(1_000)
threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
application.exec_()
