use layout_spec::*;
fn main(){
  for l in std::io::stdin().lines(){ let l=l.unwrap(); 
    match l.parse::<Shape>() { Ok(s)=>println!("OK {s}"), Err(e)=>println!("ERR {l}\n{e}\n") } }
}
