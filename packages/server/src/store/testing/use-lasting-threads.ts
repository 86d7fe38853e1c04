import { useThreads } from '../backends/sqlite.ts';
import { startLastingThread } from './lasting-threads.ts';

useThreads(startLastingThread);
