"""Give each card of training a memory in place of its box: it remembers for as long as it waited, and is hard.

A database of the first migration as it is now has them.
"""

from alembic import op
from sqlalchemy import Column, Float, inspect

revision = "1002"
down_revision = "1001"
HARD = "6.4133"  # the difficulty of what was missed at first


def upgrade() -> None:
    if "box" not in {column["name"] for column in inspect(op.get_bind()).get_columns("training_card")}:
        return
    for name in ("stability", "difficulty"):
        op.add_column("training_card", Column(name, Float, nullable=False, server_default=HARD))
    op.execute(
        "UPDATE training_card SET stability = "
        "CASE box WHEN 0 THEN 1 WHEN 1 THEN 3 WHEN 2 THEN 7 WHEN 3 THEN 16 ELSE 35 END"
    )
    op.drop_column("training_card", "box")
