/** The union's web site alone, for trying the connector by hand: `serve-portal.ts [port]`. */
import { startPortal } from './portal.ts';

const { url } = await startPortal(Number(process.argv[2] ?? 0));
console.log(`${url}, login kim, password union-pass`);
