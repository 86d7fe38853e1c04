import { createContext } from 'preact';

/** How a form leaves the dialog around it. Null outside of dialogs. */
export const LeaveDialog = createContext<(() => void) | null>(null);
