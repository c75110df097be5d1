# SPDX-License-Identifier: Apache-2.0
"""`<brightness-boost>` boosts what a person can see, and nothing else."""

import pytest
from playwright.sync_api import expect

BODY = """<div id="outer"><div id="inner"><brightness-boost holder="code"><figure><img id="picture" alt="code"
    src="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='200' height='200'/%3E"></figure>
    </brightness-boost></div></div><div id="cover"></div><dialog id="dialog">dialog</dialog>"""
COVERS = "Object.assign(cover.style, { position: 'fixed', inset: 0, zIndex: 9 });"
FULL = "Object.assign(dialog.style, { width: '100vw', height: '100vh', maxWidth: 'none', maxHeight: 'none', margin: 0 });"

HIDDEN = {
    "visibility of an ancestor": ("outer.style.visibility = 'hidden'", "outer.style.visibility = ''"),
    "opacity of an ancestor": ("outer.style.opacity = 0", "outer.style.opacity = 1"),
    "opacities that multiply": ("outer.style.opacity = inner.style.opacity = 0.2", "outer.style.opacity = ''"),
    "opacity of the picture": ("picture.style.opacity = 0", "picture.style.opacity = ''"),
    "visibility of the picture": ("picture.style.visibility = 'hidden'", "picture.style.visibility = ''"),
    "content-visibility": ("outer.style.contentVisibility = 'hidden'", "outer.style.contentVisibility = ''"),
    "an opaque cover": (f"{COVERS} cover.style.background = 'black'", "cover.style.background = 'none'"),
    "a picture above": (
        f"{COVERS} cover.innerHTML = '<img>'; cover.firstChild.src = picture.src;"
        "Object.assign(cover.firstChild.style, { width: '100%', height: '100%' })",
        "cover.remove()",
    ),
    "a modal dialog": (f"{FULL} dialog.showModal()", "dialog.close()"),
    "another element in full screen": ("cover.requestFullscreen()", "document.exitFullscreen()"),
}
SEEN = {
    "a translucent cover": f"{COVERS} cover.style.background = 'rgb(0 0 0 / 30%)'",
    "a cover that is faded out": f"{COVERS} cover.style.background = 'black'; cover.style.opacity = 0",
    "a cover of the upper half": (
        f"{COVERS} cover.style.background = 'black'; cover.style.bottom = 'auto';"
        "cover.style.height = picture.getBoundingClientRect().bottom - 100 + 'px'"
    ),
    "a picture below": (
        f"{COVERS} cover.style.background = 'black'; cover.style.zIndex = -1; picture.style.pointerEvents = 'none'"
    ),
    "no pointer events": "outer.style.pointerEvents = 'none'",
    "a small dialog": "dialog.showModal()",
    "turned, with a shadow": "picture.style.rotate = '30deg'; picture.style.filter = 'drop-shadow(0 0 4px black)'",
    "a little opacity": "outer.style.opacity = 0.5",
    "a shadow tree": "outer.attachShadow({ mode: 'open' }).append(document.createElement('slot'))",
    "in a modal dialog": "dialog.append(outer); dialog.showModal()",
    "in full screen": "outer.requestFullscreen()",
}


@pytest.fixture
def opened(page, kiosk, await_holders):
    page.goto(kiosk(BODY))
    await_holders("code")
    return page


@pytest.mark.parametrize("case", HIDDEN)
def test_content_that_nobody_sees_does_not_boost(opened, await_holders, case):
    hide, show = HIDDEN[case]
    # Not the value, which may be an element.
    opened.evaluate(f"() => {{ {hide} }}")
    await_holders()
    opened.evaluate(f"() => {{ {show} }}")
    await_holders("code")


@pytest.mark.parametrize("case", SEEN)
def test_content_that_is_seen_keeps_its_boost(opened, client, await_holders, case):
    opened.locator("brightness-boost").evaluate(
        "boost => boost.addEventListener('restore', () => (document.title = 'ended'))"
    )
    opened.evaluate(f"() => {{ {SEEN[case]} }}")
    # The page examines it twice a second.
    opened.evaluate("() => new Promise((done) => setTimeout(done, 1_400))")
    await_holders("code")
    expect(opened).not_to_have_title("ended")


def test_a_slide_show_boosts_for_the_slide_with_the_code(page, kiosk, await_holders):
    slides = "".join(f'<section><p>slide {number}</p></section>' for number in range(3))
    code = '<section><brightness-boost holder="code"><p>code</p></brightness-boost></section>'
    page.goto(kiosk(f'<div id="slides">{slides}{code}</div>'))
    expect(page.locator("brightness-boost:defined")).to_be_attached()
    page.evaluate(
        """() => {
            globalThis.show = (shown) => [...slides.children].forEach(({ style }, index) => Object.assign(style,
                { position: 'fixed', inset: 0, background: 'white', transition: 'opacity .4s',
                  opacity: Number(index === shown) }));
            show(0);
        }"""
    )
    for shown in (3, 1, 3, 2):
        page.evaluate(f"show({shown})")
        await_holders(*(["code"] if shown == 3 else []))
