import { Command } from 'commander';

export function migrateCommand(): Command {
  return new Command('migrate').description('Create or upgrade the database').action(async () => {
    const [{ readConfig }, { openStore }] = await Promise.all([
      import('../config/server-config.ts'),
      import('../store/database.ts'),
    ]);
    const { databaseUrl } = await readConfig('dev', process.env);
    const store = await openStore({ url: databaseUrl, migrate: true });
    await store.close();
    process.stdout.write('The database is up to date.\n');
  });
}
