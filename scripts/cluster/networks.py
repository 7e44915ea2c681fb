"""Networks on the nodes: an engine takes the rule of layer stacks and the scale also from files beside a network, and the scale
from the name of its file or folder (docs/network.md). So the nodes get all of these, and not the network alone."""

from collections.abc import Mapping
from pathlib import Path

from command_line import beside

# Names of evaluations that are no files.
NO_FILE = ("<internal>", "none")


def parts(name: str, path: Path) -> dict[str, Path]:
    """What the nodes are sent for a network: the network by its name, and files beside it by this name and their own."""
    return {name: path, **{f"{name} {file.name}": file for file in beside(path)}}


def wanted(name: str, path: Path) -> list[tuple[str, list[Path], bool]]:
    """The same as a list of programs has it."""
    return [(part, [file], False) for part, file in parts(name, path).items()]


def folder_name(path: Path) -> str:
    """The name of the network's folder, for a folder on a node."""
    name = path.absolute().parent.name
    return name if name not in ("", "..") else "network"


def links(name: str, path: Path, folder: str = "") -> dict[str, str]:
    """The places of these files in a folder on a node, the network's first, each with the name of what was sent."""
    return {str(Path(folder) / file.name): part for part, file in parts(name, path).items()}


def lay(folder: Path, places: Mapping[str, str], programs: Mapping[str, str]) -> None:
    """Puts the files of a node into their places."""
    for place, part in places.items():
        file = folder / place
        file.parent.mkdir(parents=True, exist_ok=True)
        file.symlink_to(programs[part])
