package connector

import "sync"

// Workers decode jobs on a fixed number of goroutines. The channel between is bounded: Do waits when all are busy.
type Workers[J any] struct {
	jobs  chan J
	done  sync.WaitGroup
	close sync.Once
}

// NewWorkers starts n goroutines; each makes its own function to run jobs with, and so its own scratch memory.
func NewWorkers[J any](n int, worker func() func(J)) *Workers[J] {
	w := &Workers[J]{jobs: make(chan J, 2*n)}
	for range n {
		w.done.Go(func() {
			run := worker()
			for j := range w.jobs {
				run(j)
			}
		})
	}
	return w
}

// Do gives a job to the next goroutine that is free.
func (w *Workers[J]) Do(j J) { w.jobs <- j }

// Close waits until all jobs are done. Nothing may call Do any more; Close itself may be called again.
func (w *Workers[J]) Close() {
	w.close.Do(func() { close(w.jobs) })
	w.done.Wait()
}
