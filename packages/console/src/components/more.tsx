import { common } from '../app/common-texts.ts';
import { Button } from './button.tsx';

interface Props {
  readonly isThere: boolean;
  readonly isLoading: boolean;
  readonly onMore: () => void;
}

/** Loads the next page of a list. */
export function More({ isThere, isLoading, onMore }: Props) {
  if (!isThere) return null;
  return (
    <div class="actions">
      <Button busy={isLoading} onClick={onMore}>
        {common().more}
      </Button>
    </div>
  );
}
