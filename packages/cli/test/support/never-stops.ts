import { processIo } from '../../src/process-io.ts';

// A run that hears of the first signal and goes on all the same.
const { onStop, stdout } = processIo();
onStop((signal) => stdout.write(`asked to stop by ${signal}\n`));
setInterval(() => {}, 60_000);
stdout.write('running\n');
