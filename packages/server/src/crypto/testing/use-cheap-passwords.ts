import { usePasswordCost } from '../password.ts';

usePasswordCost({ memory: 64, passes: 1 });
