import { list as accounts } from '../../src/commands/credentials/bank-accounts.ts';
import { list as links } from '../../src/commands/credentials/links.ts';
import { download } from '../../src/commands/files/download.ts';
import { list as jobs } from '../../src/commands/jobs/list.ts';

// Loads the commands, and proves that it did.
console.log(accounts, download, links, jobs);
