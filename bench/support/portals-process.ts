/** The simulated institutions in a separate process, so that their work is not counted. */
import { demoAccounts, startSimulators } from '@changgu/simulators';

const { urls } = await startSimulators({ now: Date.now });
const [account] = demoAccounts.bank_b;
process.send?.({ url: urls.bank_b, account });
process.on('disconnect', () => process.exit());
