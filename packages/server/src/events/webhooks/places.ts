/**
 * A semaphore that organizations share: the next place is for the one that holds the fewest, so that slow endpoints
 * of some keep no others waiting.
 */
export interface Places {
  /** Returns how to release the place. */
  enter(organizationId: number): Promise<() => void>;
}

interface Share {
  held: number;
  readonly line: (() => void)[];
}

export function createPlaces(most: number): Places {
  let free = most;
  /** Of organizations that hold a place or wait for one. */
  const shares = new Map<number, Share>();

  function shareOf(organizationId: number): Share {
    const share = shares.get(organizationId) ?? { held: 0, line: [] };
    shares.set(organizationId, share);
    return share;
  }

  function admitNext(): void {
    let next: Share | undefined;
    for (const share of shares.values()) {
      if (share.line.length > 0 && (next === undefined || share.held < next.held)) next = share;
    }
    if (next === undefined) {
      free += 1;
      return;
    }
    next.held += 1;
    next.line.shift()?.();
  }

  return {
    async enter(organizationId) {
      const share = shareOf(organizationId);
      if (free > 0) {
        free -= 1;
        share.held += 1;
      } else {
        await new Promise<void>((admit) => share.line.push(admit));
      }
      return () => {
        share.held -= 1;
        if (share.held === 0 && share.line.length === 0) shares.delete(organizationId);
        admitNext();
      };
    },
  };
}
