"""Tables that several tests look into."""

import pytest

import amazons_solver as amazons


@pytest.fixture(scope="session")
def small(tmp_path_factory):
    """Every position of 3x4 with one amazon a side."""
    return amazons.build(tmp_path_factory.mktemp("tables") / "3x4", "3x4", "1v1")


@pytest.fixture(scope="session")
def table(tmp_path_factory):
    """Every position of 4x4 with two amazons a side."""
    return amazons.build(tmp_path_factory.mktemp("tables") / "4x4", "4x4", "2v2")


@pytest.fixture(scope="session")
def results(pytestconfig):
    """The results of the repository."""
    return pytestconfig.rootpath.parent / "results"
