"""What a server can be told, by arguments of `serve` or by the environment (SMALLCHANGE_PORT=8080)."""

from __future__ import annotations

from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict

from smallchange.home import data_folder


def _own_database() -> str:
    return f"sqlite:///{data_folder() / 'tables.db'}"


class Settings(BaseSettings):
    """Every setting, its default, and what it means."""

    model_config = SettingsConfigDict(env_prefix="SMALLCHANGE_", frozen=True)

    host: str = Field("127.0.0.1", description="The address to listen on; 0.0.0.0 for every network.")
    port: int = Field(8765, ge=0, le=65535, description="The port; 0 for any free one.")
    database: str = Field(default_factory=_own_database, description="SQLite or PostgreSQL, by URL.")
    bus: str = Field(
        "memory://", description="How several processes tell each other: postgresql:// or redis://."
    )
    origins: tuple[str, ...] = Field(
        (), description="Origins to accept besides the server's own host, such as https://play.example."
    )
    proxies: str = Field(
        "", description="Addresses of proxies whose X-Forwarded headers are believed, by commas."
    )
    secure: bool = Field(False, description="Cookies for TLS alone (__Host-); set it behind a TLS proxy.")
    bot_seconds: float = Field(0.25, gt=0, le=60, description="The time a bot may think about a move.")
    bot_workers: int = Field(1, ge=1, le=64, description="Processes in which bots think.")
    playing: int = Field(100, ge=1, description="Messages a player's connection may send in 20 s.")
    watching: int = Field(50, ge=1, description="Messages a spectator's connection may send in 20 s.")
    sockets: int = Field(40, ge=1, description="Connections from one address at a time.")
    new_tables: int = Field(60, ge=1, description="Tables that one address may open in 10 minutes.")
    hints: int = Field(20, ge=1, description="Hints that one player may ask for in a minute.")
    log: str = Field("text", pattern="^(text|json)$", description="How the log is written: text or json.")
