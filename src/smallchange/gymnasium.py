"""The games as environments of Gymnasium: each is registered as `smallchange/GAME-v0`.

`import smallchange.gymnasium` does it, and so does `gymnasium.make("smallchange.gymnasium:smallchange/GAME-v0")`.
"""

from __future__ import annotations

from smallchange.extras import require

require("gym", "gymnasium")

from gymnasium import register, registry  # noqa: E402

from .core.game_places import games  # noqa: E402

__all__ = ["environment_id", "register_environments"]


def environment_id(game_id: str) -> str:
    """Return the id of a game's environment.

    >>> environment_id("heads-or-tails")
    'smallchange/HeadsOrTails-v0'
    """
    name = "".join(part.capitalize() for part in game_id.split("-"))
    return f"smallchange/{name}-v0"


def register_environments() -> None:
    """Register every game that `games()` lists; those that are known are left."""
    for game in games():
        if environment_id(game) not in registry:
            register(
                environment_id(game),
                entry_point="smallchange.environments.gymnasium_env:GameEnv",
                vector_entry_point="smallchange.environments.gymnasium_vector:GameVectorEnv",
                kwargs={"game": game},
            )


register_environments()
