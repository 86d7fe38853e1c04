import { Command } from 'commander';

export function migrateCommand(): Command {
  return new Command('migrate').description('Create or upgrade the database').action(async () => {
    const [{ readConfig }, { forgetSecrets }, { createDataDir }, { openStore }, { databaseName }] =
      await Promise.all([
        import('../config/server-config.ts'),
        import('../config/forget-secrets.ts'),
        import('../config/data-dir.ts'),
        import('../store/database.ts'),
        import('../store/backends/opening/database-name.ts'),
      ]);
    const config = await readConfig('command', process.env);
    forgetSecrets(process.env);
    const url = config.databaseUrl;
    await createDataDir(config);
    const store = await openStore({ url, migrate: true, inThisThread: true });
    await store.close();
    process.stdout.write(`The database is up to date: ${await databaseName(url)}\n`);
  });
}
