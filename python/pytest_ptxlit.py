"""A plugin of pytest: checks the Triton kernels that a test launches.

    pytest --ptxlit                 all tests
    @pytest.mark.ptxlit(timeout=5)  this test; options are those of ptxlit.watch
    def test_x(ptxlit_watch): ...   this test; the fixture is the watch, and ptxlit_watch.checked has the launches
"""

import pytest


def pytest_addoption(parser):
    parser.getgroup("ptxlit").addoption("--ptxlit", action="store_true",
                                        help="check the Triton kernels of all tests when they are first launched")


def pytest_configure(config):
    config.addinivalue_line("markers", "ptxlit(**options): check the Triton kernels that the test launches")


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call(item):
    marker = item.get_closest_marker("ptxlit")
    if not marker and not item.config.getoption("--ptxlit"):
        yield
        return
    import ptxlit  # pylint: disable=import-outside-toplevel

    with ptxlit.watch(**(marker.kwargs if marker else {})):
        yield


@pytest.fixture
def ptxlit_watch():
    import ptxlit  # pylint: disable=import-outside-toplevel

    with ptxlit.watch() as watching:
        yield watching
