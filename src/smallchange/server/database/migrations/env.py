"""The entry of Alembic. It runs on the connection that `database.migrate` hands over."""

from alembic import context

from smallchange.server.database.schema import metadata

context.configure(
    connection=context.config.attributes["connection"], target_metadata=metadata, render_as_batch=True
)
with context.begin_transaction():
    context.run_migrations()
