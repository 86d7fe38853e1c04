import { processIo } from '../../src/process-io.ts';

// A run that notices the first signal and continues all the same.
const { onStop, stdout } = processIo();
onStop((signal) => stdout.write(`asked to stop by ${signal}\n`));
process.on('SIGUSR2', () => stdout.write('still running\n'));
setInterval(() => {}, 60_000);
stdout.write('running\n');
