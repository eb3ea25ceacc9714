package api

import (
	"crypto/sha256"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Limit allows PerSecond calls on average and Burst at once. The zero Limit allows any number.
type Limit struct {
	PerSecond float64
	Burst     int
}

// bucketKey is the SHA-256 of a limiter key. Clients choose the key, so its length must not matter.
type bucketKey [sha256.Size]byte

// limiter has one bucket per key, in two generations: the younger becomes the older one, which is dropped, when the
// younger is full or old. This bounds the memory. A key that was not used for two generations gets a new, full bucket,
// so a generation lasts at least as long as an empty bucket takes to fill.
type limiter struct {
	limit Limit
	lasts time.Duration // maximum age of a generation
	now   func() time.Time

	mu           sync.Mutex
	young, older map[bucketKey]*rate.Limiter
	born         time.Time
}

const (
	generationKeys = 20_000
	generationAge  = time.Minute // minimum
)

func newLimiter(limit Limit, now func() time.Time) *limiter {
	lasts := generationAge
	if limit.PerSecond > 0 {
		lasts = max(lasts, time.Duration(float64(limit.Burst)/limit.PerSecond*float64(time.Second)))
	}
	return &limiter{limit: limit, lasts: lasts, now: now, young: map[bucketKey]*rate.Limiter{}, born: now()}
}

// wait returns 0 if the key has a call left, else the time until it has one.
func (l *limiter) wait(key string) time.Duration { return l.waitFor(key, 1) }

// waitFor is like wait for a call that counts as several calls, at most as a whole burst.
func (l *limiter) waitFor(key string, calls int) time.Duration {
	if l.limit.PerSecond <= 0 {
		return 0
	}
	now := l.now()
	reservation := l.bucket(key, now).ReserveN(now, min(calls, l.limit.Burst))
	delay := reservation.DelayFrom(now)
	if delay > 0 {
		reservation.CancelAt(now)
	}
	return delay
}

// bucket returns the bucket of a key in the younger generation.
func (l *limiter) bucket(text string, now time.Time) *rate.Limiter {
	key := bucketKey(sha256.Sum256([]byte(text)))
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.young) >= generationKeys || now.Sub(l.born) > l.lasts {
		l.older, l.young, l.born = l.young, map[bucketKey]*rate.Limiter{}, now
	}
	bucket, ok := l.young[key]
	if !ok {
		if bucket, ok = l.older[key]; !ok {
			bucket = rate.NewLimiter(rate.Limit(l.limit.PerSecond), l.limit.Burst)
		}
		l.young[key] = bucket
	}
	return bucket
}

// source returns the source of a request: the peer address, or behind a trusted proxy the last address of
// X-Forwarded-For that is not a trusted proxy. IPv6 addresses count by their /56, because one customer may have a whole
// /56.
func source(r *http.Request, trusted []netip.Prefix) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		host = r.RemoteAddr
	}
	peer, err := netip.ParseAddr(host)
	if err != nil {
		return host
	}
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for i := len(hops) - 1; i >= 0 && contains(trusted, peer); i-- {
		hop, err := netip.ParseAddr(strings.TrimSpace(hops[i]))
		if err != nil {
			break
		}
		peer = hop
	}
	peer = peer.Unmap().WithZone("")
	if peer.Is6() {
		if prefix, err := peer.Prefix(56); err == nil {
			return prefix.String()
		}
	}
	return peer.String()
}

func contains(prefixes []netip.Prefix, address netip.Addr) bool {
	for _, prefix := range prefixes {
		if prefix.Contains(address.Unmap()) {
			return true
		}
	}
	return false
}
