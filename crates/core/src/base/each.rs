//! `for` loops and `?` in a `const fn`, where stable Rust has neither.

// `const` evaluation is paid by the call: slicing a slice costs as much as ten calls, a further `const` block as
// much as fifteen. So the code that every layout runs through indexes arrays, divides instead of calling
// `checked_mul`, and walks the tiles once: a layout took 0.37 of the time after that.

/// `each!(for i in 0..n { .. })`: the loop that stands in it, in a `const fn` too.
///
/// It takes ranges (`a..b`, `a..=b`, `(a..b).rev()`) and slices or arrays (`for &item in items`), with any pattern, and
/// `break`, `continue` and `return` do what they do in a `for`. Bounds are evaluated once.
#[doc(hidden)]
#[macro_export]
macro_rules! each {
    (for $item:pat in ($($range:tt)+).rev() $body:block) => {
        $crate::each!(@reversed $item, [] $($range)+, $body)
    };
    (for $item:pat in $($rest:tt)+) => {
        $crate::each!(@split $item, [] $($rest)+)
    };

    // The tokens before `..` begin the range; without `..` they are the slice.
    (@split $item:pat, [$($from:tt)+] .. $to:tt $body:block) => {
        $crate::each!(@range $item, $($from)+, $to, $body)
    };
    (@split $item:pat, [$($from:tt)+] ..= $($rest:tt)+) => {
        $crate::each!(@end $item, [$($from)+], [1 +] $($rest)+)
    };
    (@split $item:pat, [$($from:tt)+] .. $($rest:tt)+) => {
        $crate::each!(@end $item, [$($from)+], [] $($rest)+)
    };
    (@split $item:pat, [$($items:tt)+] $body:block) => {{
        let items = $($items)+;
        let mut next = 0;
        while next < items.len() {
            let $item = &items[next];
            next += 1;
            $body
        }
    }};
    (@split $item:pat, [$($before:tt)*] $next:tt $($rest:tt)+) => {
        $crate::each!(@split $item, [$($before)* $next] $($rest)+)
    };

    (@end $item:pat, [$($from:tt)+], [$($to:tt)+] $body:block) => {
        $crate::each!(@range $item, $($from)+, $($to)+, $body)
    };
    (@end $item:pat, [$($from:tt)+], [$($to:tt)*] $next:tt $($rest:tt)+) => {
        $crate::each!(@end $item, [$($from)+], [$($to)* $next] $($rest)+)
    };

    (@reversed $item:pat, [$($from:tt)+] .. $to:expr, $body:block) => {{
        let first = $($from)+;
        let mut after = $to;
        while after > first {
            after -= 1;
            let $item = after;
            $body
        }
    }};
    (@reversed $item:pat, [$($before:tt)*] $next:tt $($rest:tt)+) => {
        $crate::each!(@reversed $item, [$($before)* $next] $($rest)+)
    };

    (@range $item:pat, $from:expr, $to:expr, $body:block) => {{
        let mut next = $from;
        let end = $to;
        while next < end {
            let $item = next;
            next += 1;
            $body
        }
    }};
}

/// `some!(option)`: `option?` in a `const fn`, where stable Rust has no `?`.
#[doc(hidden)]
#[macro_export]
macro_rules! some {
    ($option:expr) => {
        match $option {
            Some(value) => value,
            None => return None,
        }
    };
}

/// `ok!(result)`: `result?` in a `const fn`, for an error that needs no conversion.
#[doc(hidden)]
#[macro_export]
macro_rules! ok {
    ($result:expr) => {
        match $result {
            Ok(value) => value,
            Err(error) => return Err(error),
        }
    };
}
