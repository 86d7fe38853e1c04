import type { ComponentChildren, TargetedMouseEvent } from 'preact';
import { addressOf, navigate, type Query } from '../app/router.ts';

type Look = 'plain' | 'primary' | 'danger' | 'quiet';

interface ButtonProps {
  readonly children: ComponentChildren;
  readonly look?: Look;
  readonly type?: 'button' | 'submit';
  /** What it began is under way. It keeps the focus and does nothing meanwhile. */
  readonly busy?: boolean;
  readonly label?: string;
  readonly pressed?: boolean;
  /** Of a button that shows and hides something: which element, and whether it is shown. */
  readonly controls?: { readonly id: string; readonly isOpen: boolean };
  readonly onClick?: () => unknown;
}

export function Button(props: ButtonProps) {
  const {
    children,
    look = 'plain',
    type = 'button',
    busy = false,
    label,
    pressed,
    controls,
  } = props;
  return (
    <button
      class={`button ${look}`}
      type={type}
      aria-disabled={busy ? 'true' : undefined}
      aria-label={label}
      aria-pressed={pressed}
      aria-expanded={controls?.isOpen}
      aria-controls={controls?.id}
      onClick={() => (busy ? undefined : props.onClick?.())}
    >
      {children}
    </button>
  );
}

interface LinkProps {
  readonly to: string;
  readonly query?: Query;
  readonly children: ComponentChildren;
  readonly class?: string;
  readonly current?: boolean;
  /** In a new tab. */
  readonly apart?: boolean;
}

/** A link to another screen: a real address, so that it opens in a new tab too. */
export function Link({ to, query, children, current, apart = false, ...rest }: LinkProps) {
  const follow = (event: TargetedMouseEvent<HTMLAnchorElement>) => {
    if (apart || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    navigate(to, query);
  };
  return (
    <a
      class={rest.class}
      href={addressOf(to, query)}
      target={apart ? '_blank' : undefined}
      aria-current={current ? 'page' : undefined}
      onClick={follow}
    >
      {children}
    </a>
  );
}
